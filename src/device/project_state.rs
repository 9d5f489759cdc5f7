//! The project that a device has open: its state given out to be saved, put in place when it is loaded, and recovered
//! from a journal. Nothing here touches a disk: threads of a plugin host load and save.

use super::notifier::{Event, Notifier};
use super::recovery::{JournalOffer, SetIdentity};
use super::state;
use crate::service::embedded::EmbeddedSet;
use crate::service::pump::Pump;
use crate::service::set_host::SetHost;
use crate::service::{Service, Settings};
use crate::user_store::Grants;
use parking_lot::Mutex;
use std::sync::Arc;

/// The open project of a device.
pub struct ProjectState {
    service: Arc<Service>,
    set: Arc<EmbeddedSet>,
    pump: Arc<Pump>,
    notifier: Notifier,
    identity: Mutex<SetIdentity>,
    grants: Grants,
    /// The state is the user's own, and no project that may come from somebody else.
    is_own: bool,
    /// What a journal offers.
    offer: Mutex<Option<JournalOffer>>,
    /// What was offered and taken or turned down, to be forgotten by the supervisor.
    settled: Mutex<Option<JournalOffer>>,
}

impl ProjectState {
    pub(super) fn new(
        service: Arc<Service>,
        set: Arc<EmbeddedSet>,
        pump: Arc<Pump>,
        notifier: Notifier,
        grants: Grants,
        is_own: bool,
    ) -> ProjectState {
        let identity = SetIdentity::fresh();
        // What a device is made with is in force, and stays so when the same Set is loaded again.
        service.edit_settings(|settings| settings.held.set.clone_from(&identity.id));
        grants.add(&identity.id, &service.settings().permissions_in_force());
        ProjectState {
            service,
            set,
            pump,
            notifier,
            identity: Mutex::new(identity),
            grants,
            is_own,
            offer: Mutex::default(),
            settled: Mutex::default(),
        }
    }

    /// What to save with a project.
    pub fn save(&self) -> String {
        match self.set.unreadable() {
            Some(unreadable) => unreadable.text,
            None => self.to_text(),
        }
    }

    /// Settings and Set as they are now, as text.
    pub(super) fn to_text(&self) -> String {
        let committed = self.set.committed();
        let identity = self.identity();
        let changes = identity.changes(committed.revision);
        state::save(&self.service.settings(), &committed.document, &identity.id, changes)
    }

    /// Puts a saved state in place. One that cannot be read is kept as it is: the device goes on working, takes no
    /// writes, and gives the text back when it is saved.
    pub fn load(&self, text: &str) {
        match state::load(text) {
            Ok(mut loaded) => {
                // What was granted a moment ago may not be kept yet.
                let before = self.service.settings();
                self.grants.add(&before.held.set, &before.permissions_in_force());
                let identity = self.claim_identity(&loaded.id, loaded.revision);
                self.hold_permissions(&mut loaded.settings, &identity.id, &loaded.id);
                // A project of before there was sound has its own: it would be doubled.
                loaded.settings.sound.get_or_insert(false);
                self.service.set_settings(loaded.settings);
                self.set.replace(loaded.document);
                self.adopt_identity(identity);
            }
            Err(error) => self.set.keep_unreadable(state::unreadable(text.to_owned(), &error.to_string())),
        }
        self.service.jobs().begin_project(self.set.generation());
        self.pump.wake_up();
        self.notifier.changed();
    }

    /// Says which Set the device was made with: the id and the count of changes in its file. What a project that is not
    /// the user's own states of permissions is held.
    pub fn opened(&self, id: &str, changes: u64) {
        let identity = self.claim_identity(id, changes);
        self.service.edit_settings(|settings| {
            settings.held.set.clone_from(&identity.id);
            if !self.is_own {
                self.hold_permissions(settings, &identity.id, id);
            }
        });
        self.adopt_identity(identity);
    }

    fn hold_permissions(&self, settings: &mut Settings, set: &str, copied_from: &str) {
        settings.hold_permissions(set, copied_from, |permission| {
            self.grants.holds(set, permission) || self.grants.holds(copied_from, permission)
        });
    }

    /// Puts in force what the file of the grants says was granted to the open Set. Waits for a disk.
    pub(super) fn follow_grants(&self) -> Result<(), String> {
        let read = self.grants.read();
        self.service.edit_settings(|settings| {
            let held = settings.held.clone();
            settings.release(|permission| {
                self.grants.holds(&held.set, permission) || self.grants.holds(&held.copied_from, permission)
            });
        });
        read
    }

    /// Keeps what is in force as granted to the open Set. Waits for a disk.
    pub(super) fn keep_grants(&self) -> Result<(), String> {
        let settings = self.service.settings();
        self.grants.add(&settings.held.set, &settings.permissions_in_force());
        // The user's own state needs no grants when it is opened again.
        if self.is_own { Ok(()) } else { self.grants.write() }
    }

    /// The token was set or taken away: the supervisor keeps that.
    pub(super) fn token_changed(&self) {
        self.notifier.send(Event::SettingsChanged);
    }

    fn claim_identity(&self, id: &str, changes: u64) -> SetIdentity {
        self.identity.lock().release();
        SetIdentity::claim(id, changes, 0)
    }

    /// Takes the identity of what was loaded, and has the supervisor look whether its journal has gone further: the
    /// disk is not for a thread of the plugin host.
    fn adopt_identity(&self, identity: SetIdentity) {
        let now = self.set.committed().revision;
        *self.identity.lock() = SetIdentity { base_revision: now, ..identity };
        *self.offer.lock() = None;
        self.notifier.send(Event::StateLoaded);
    }

    pub(super) fn identity(&self) -> SetIdentity {
        self.identity.lock().clone()
    }

    /// The project is closed.
    pub(super) fn close(&self) {
        self.identity.lock().release();
    }

    /// How many changes a journal holds and the loaded project does not.
    pub fn recovery_offer(&self) -> Option<u64> {
        self.offer.lock().as_ref().map(|offer| offer.changes)
    }

    pub(super) fn set_offer(&self, offer: Option<JournalOffer>) {
        *self.offer.lock() = offer;
    }

    /// Takes what the journal offers, or turns it down; false when nothing is offered.
    pub fn settle_recovery(&self, take: bool) -> bool {
        let Some(offer) = self.offer.lock().take() else { return false };
        let text = offer.text.clone();
        *self.settled.lock() = Some(offer);
        if take {
            self.load(&text);
        }
        self.notifier.send(Event::OfferSettled);
        true
    }

    pub(super) fn take_settled(&self) -> Option<JournalOffer> {
        self.settled.lock().take()
    }

    /// Why the saved state could not be read, if there is one that could not.
    pub fn unreadable_reason(&self) -> Option<String> {
        self.set.unreadable().map(|unreadable| unreadable.why)
    }

    /// Drops a state that could not be read and goes on with the Set at hand.
    pub fn start_fresh(&self) {
        if self.set.unreadable().is_some() {
            let document = self.set.committed().document.clone();
            self.set.replace(document);
            self.pump.wake_up();
            self.notifier.changed();
        }
    }
}
