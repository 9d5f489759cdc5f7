//! What plays, for who draws it: a window shows the newest and has no use for what was before, so that it is no event
//! for it.

use crate::set_view::PlaybackView;
use arc_swap::ArcSwapOption;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// What was seen last of what plays. Nobody waits for it.
pub struct LatestPlayback {
    view: ArcSwapOption<PlaybackView>,
    followers: AtomicUsize,
    on_follower: Box<dyn Fn() + Send + Sync>,
}

impl LatestPlayback {
    /// `on_follower` is called when somebody begins to follow; it must not wait.
    pub fn new(on_follower: Box<dyn Fn() + Send + Sync>) -> Arc<LatestPlayback> {
        Arc::new(LatestPlayback { view: ArcSwapOption::empty(), followers: AtomicUsize::new(0), on_follower })
    }

    /// Follows what plays until it is dropped.
    pub fn follow(self: &Arc<Self>) -> PlaybackFollower {
        if self.followers.fetch_add(1, Ordering::SeqCst) == 0 {
            // It may be from long ago.
            self.view.store(None);
        }
        (self.on_follower)();
        PlaybackFollower { latest: self.clone() }
    }

    pub fn is_followed(&self) -> bool {
        self.followers.load(Ordering::SeqCst) > 0
    }

    pub(super) fn put(&self, view: Arc<PlaybackView>) {
        self.view.store(Some(view));
    }
}

/// Somebody who shows what plays, such as a window.
pub struct PlaybackFollower {
    latest: Arc<LatestPlayback>,
}

impl PlaybackFollower {
    /// `None` until it was looked at.
    pub fn view(&self) -> Option<Arc<PlaybackView>> {
        self.latest.view.load_full()
    }
}

impl Drop for PlaybackFollower {
    fn drop(&mut self) {
        self.latest.followers.fetch_sub(1, Ordering::SeqCst);
    }
}
