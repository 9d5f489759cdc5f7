//! Somebody who follows the events: a place in what is kept of them.

use super::hub::{Begun, EventHub, Kept, TooManyReaders};
use super::{Event, Kind};
use std::sync::Arc;
use tokio::sync::watch;

/// What a reader reads next.
#[derive(Clone, Debug, PartialEq)]
pub enum Next {
    Event(Event),
    /// It was too slow: what was in between is no longer kept, and everything is to be read anew.
    Gap,
}

/// Reads until it is dropped.
pub struct Reader {
    hub: Arc<EventHub>,
    /// Of what it reads.
    changes: watch::Receiver<()>,
    from: u64,
    reads_playback: bool,
    playback_seen: u64,
    /// So that much that happens never keeps back what plays, nor the other way round.
    playback_was_last: bool,
}

impl Reader {
    /// Follows what happens from now on, or from after the event of that id; and whether not all is there that came
    /// after it.
    ///
    /// # Errors
    ///
    /// There are as many readers as there may be.
    pub fn begin(hub: &Arc<EventHub>, after: Option<&str>) -> Result<(Reader, bool), TooManyReaders> {
        Reader::begin_with(hub, after, true)
    }

    /// The same, of all but what plays: it neither reads it nor is woken by it.
    ///
    /// # Errors
    ///
    /// There are as many readers as there may be.
    pub fn begin_without_playback(hub: &Arc<EventHub>, after: Option<&str>) -> Result<(Reader, bool), TooManyReaders> {
        Reader::begin_with(hub, after, false)
    }

    fn begin_with(
        hub: &Arc<EventHub>,
        after: Option<&str>,
        reads_playback: bool,
    ) -> Result<(Reader, bool), TooManyReaders> {
        let Begun { changes, from, is_gap } = hub.add_reader(after, reads_playback)?;
        let reader =
            Reader { hub: hub.clone(), changes, from, reads_playback, playback_seen: 0, playback_was_last: false };
        Ok((reader, is_gap))
    }

    pub fn hub(&self) -> &Arc<EventHub> {
        &self.hub
    }

    /// The id of the event before the next one.
    pub fn last_id(&self) -> String {
        self.hub.id(self.from - 1)
    }

    /// What is there to be read, without waiting.
    pub fn take(&mut self) -> Option<Next> {
        if !self.playback_was_last
            && let Some(playback) = self.take_playback()
        {
            return Some(playback);
        }
        self.playback_was_last = false;
        match self.hub.event(self.from) {
            Kept::Event(event) => {
                self.from = event.number + 1;
                Some(Next::Event(event))
            }
            Kept::Gap { next } => {
                self.from = next;
                Some(Next::Gap)
            }
            Kept::Nothing => self.take_playback(),
        }
    }

    fn take_playback(&mut self) -> Option<Next> {
        if !self.reads_playback {
            return None;
        }
        let (count, data) = self.hub.playback(self.playback_seen)?;
        self.playback_seen = count;
        self.playback_was_last = true;
        Some(Next::Event(Event { number: 0, kind: Kind::Playback, data }))
    }

    /// Waits until something happens, of what it reads, that was not there at the last look.
    pub async fn wait(&mut self) {
        // The hub lives as long as this does, so its sender is there.
        let _ = self.changes.changed().await;
    }
}

impl Drop for Reader {
    fn drop(&mut self) {
        self.hub.reader_left(self.reads_playback);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::events::MAX_READERS;
    use std::future::Future;

    fn hub() -> Arc<EventHub> {
        EventHub::new(Box::new(|| {}))
    }

    /// What a reader takes, in short: `set 3`, `playback`, `gap`.
    fn taken(reader: &mut Reader) -> Vec<String> {
        std::iter::from_fn(|| reader.take())
            .map(|next| match next {
                Next::Event(Event { number: 0, kind, data }) => format!("{} {data}", kind.name()),
                Next::Event(event) => format!("{} {}", event.kind.name(), event.number),
                Next::Gap => "gap".to_owned(),
            })
            .collect()
    }

    #[test]
    fn a_reader_follows_from_where_it_was() {
        let hub = hub();
        let (mut first, gap) = Reader::begin(&hub, None).unwrap();
        assert!(!gap);
        hub.put(Kind::Set, "{}".to_owned());
        hub.put(Kind::Call, "{}".to_owned());
        assert_eq!(taken(&mut first), ["set 1", "call 2"]);
        drop(first);
        hub.put(Kind::Settings, "{}".to_owned());
        let (mut back, gap) = Reader::begin(&hub, Some(&hub.id(1))).unwrap();
        assert_eq!((gap, taken(&mut back)), (false, vec!["call 2".to_owned(), "settings 3".to_owned()]));
        for unknown in ["", "1", "x-1", &hub.id(9)] {
            let (mut reader, gap) = Reader::begin(&hub, Some(unknown)).unwrap();
            assert_eq!((gap, taken(&mut reader)), (true, vec![]), "{unknown}");
        }
    }

    #[test]
    fn what_nobody_heard_is_a_gap() {
        let hub = hub();
        assert!(!hub.is_heard());
        let (reader, _) = Reader::begin(&hub, None).unwrap();
        assert!(hub.is_heard());
        let id = hub.last_id();
        drop(reader);
        assert!(hub.is_heard(), "for the one that comes back");
        let (_, gap) = Reader::begin(&hub, Some(&id)).unwrap();
        assert!(!gap);
    }

    #[test]
    fn who_is_too_slow_has_a_gap_and_costs_nothing() {
        let hub = hub();
        let (mut slow, _) = Reader::begin(&hub, None).unwrap();
        let (mut quick, _) = Reader::begin(&hub, None).unwrap();
        for n in 0..100_000_u32 {
            hub.put(Kind::Set, format!("{{\"n\":{n}}}"));
            hub.put(Kind::Playback, n.to_string());
            assert!(quick.take().is_some() && quick.take().is_some());
        }
        let (events, bytes) = hub.kept();
        assert!(events <= 1_024 && bytes <= 1 << 20, "{events} events, {bytes} bytes");
        assert_eq!(taken(&mut slow), ["playback 99999", "gap"]);
        hub.put(Kind::Log, "x".repeat(2 << 20));
        assert_eq!(hub.kept(), (0, 0), "what is larger than the memory is not kept");
        assert_eq!(taken(&mut slow), ["gap"]);
    }

    /// Whether a wait has ended already.
    fn is_over(wait: impl Future) -> bool {
        let mut wait = std::pin::pin!(wait);
        wait.as_mut().poll(&mut std::task::Context::from_waker(std::task::Waker::noop())).is_ready()
    }

    #[test]
    fn who_waits_is_woken_once_for_all_that_was_put_in() {
        let hub = hub();
        let (mut reader, _) = Reader::begin(&hub, None).unwrap();
        let is_woken = |reader: &mut Reader| is_over(reader.wait());
        for n in 0..3 {
            hub.put(Kind::Set, n.to_string());
            assert!(!is_woken(&mut reader), "nothing was announced");
        }
        hub.announce();
        assert!(is_woken(&mut reader));
        assert_eq!(taken(&mut reader), ["set 1", "set 2", "set 3"]);
        hub.announce();
        assert!(!is_woken(&mut reader), "nothing was put in since");
        hub.lose();
        hub.announce();
        assert!(is_woken(&mut reader));
        assert_eq!(taken(&mut reader), ["gap"]);
    }

    #[test]
    fn what_plays_is_nothing_to_who_reads_all_else() {
        let hub = hub();
        let (mut reader, _) = Reader::begin_without_playback(&hub, None).unwrap();
        assert_eq!((hub.has_readers(), hub.has_playback_readers()), (true, false));
        let is_woken = |reader: &mut Reader| is_over(reader.wait());
        hub.put(Kind::Playback, "1".to_owned());
        hub.announce();
        assert!(!is_woken(&mut reader));
        hub.put(Kind::Call, "{}".to_owned());
        hub.announce();
        assert!(is_woken(&mut reader));
        assert_eq!(taken(&mut reader), ["call 1"]);
        hub.lose();
        hub.announce();
        assert!(is_woken(&mut reader), "a gap is more than what plays");
        let (other, _) = Reader::begin(&hub, None).unwrap();
        assert!(hub.has_playback_readers());
        drop(other);
        assert!(!hub.has_playback_readers());
    }

    #[test]
    fn there_are_sixteen_readers_at_most() {
        let hub = hub();
        let mut readers: Vec<Reader> = (0..MAX_READERS).map(|_| Reader::begin(&hub, None).unwrap().0).collect();
        assert_eq!(Reader::begin(&hub, None).err(), Some(TooManyReaders));
        readers.pop();
        assert!(Reader::begin(&hub, None).is_ok());
    }
}
