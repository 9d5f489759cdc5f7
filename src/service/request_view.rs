//! What each request sees, kept from one to the next as long as it stays true: a small call takes less time than making
//! all of it anew would.

use super::hosts::Host;
use super::profile::{Profile, ProfileHeaders};
use super::set_host::SetHost;
use super::settings::Settings;
use crate::tools;
use crate::tools::budget::Budget;
use crate::tools::metered_session::MeteredSession;
use crate::tools::request::{CommittedSet, DeviceFacts, RequestContext};
use arc_swap::ArcSwap;
use std::collections::BTreeSet;
use std::sync::Arc;

/// See the [module](self).
pub struct RequestViews {
    /// As of the generation that they name.
    facts: ArcSwap<DeviceFacts>,
    last_tools: ArcSwap<SeenTools>,
}

/// The tools that requests with such a profile see.
struct SeenTools {
    small_model_mode: bool,
    disabled: BTreeSet<String>,
    names: Arc<[&'static str]>,
}

impl SeenTools {
    fn of(profile: &Profile) -> SeenTools {
        let seen = tools::registry::all().iter().filter(|tool| profile.lists(tool));
        SeenTools {
            small_model_mode: profile.small_model_mode,
            disabled: profile.disabled_tools.clone(),
            names: seen.map(|tool| tool.name).collect(),
        }
    }

    fn is_of(&self, profile: &Profile) -> bool {
        self.small_model_mode == profile.small_model_mode && self.disabled == profile.disabled_tools
    }
}

impl RequestViews {
    /// `facts` of the host's present generation.
    pub fn new(facts: DeviceFacts) -> RequestViews {
        let profile = Profile::resolve(&Settings::default(), &ProfileHeaders::default());
        RequestViews { facts: ArcSwap::from_pointee(facts), last_tools: ArcSwap::from_pointee(SeenTools::of(&profile)) }
    }

    /// What a request of that profile to that host sees, whose call spends from `budget`. `json`: its answer goes out
    /// as JSON; `as_text`: it may be written out already.
    pub fn of(&self, host: &Host, profile: &Profile, json: bool, as_text: bool, budget: &Budget) -> RequestContext {
        let (set, of_call) = (host.set.clone(), budget.clone());
        RequestContext {
            notation: profile.notation,
            small_model_mode: profile.small_model_mode,
            tools: self.tools(profile),
            device: self.facts(&*host.set),
            json,
            as_text,
            song_meter: host.set.song_meter(),
            at_rest: CommittedSet(Arc::new(move || {
                Box::new(MeteredSession::new(set.committed_session(), of_call.clone()))
            })),
            chosen_file: None,
            may_last: false,
            budget: budget.clone(),
        }
    }

    fn tools(&self, profile: &Profile) -> Arc<[&'static str]> {
        let last = self.last_tools.load();
        if last.is_of(profile) {
            return last.names.clone();
        }
        let seen = Arc::new(SeenTools::of(profile));
        self.last_tools.store(seen.clone());
        seen.names.clone()
    }

    fn facts(&self, set: &dyn SetHost) -> Arc<DeviceFacts> {
        let generation = set.generation();
        let facts = self.facts.load_full();
        if facts.generation == generation {
            return facts;
        }
        let facts =
            Arc::new(DeviceFacts { generation, jobs: facts.jobs.of_project(generation), ..DeviceFacts::clone(&facts) });
        self.facts.store(facts.clone());
        facts
    }
}
