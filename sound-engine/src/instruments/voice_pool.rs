//! Which voice plays which note, and which one makes room when there are too many.

use crate::dsp::span::{Bus, Lane, Span, TICK};

/// Voices of one instrument.
pub const MOST_VOICES: usize = 32;
/// Places beside them for voices that fade because another took theirs.
const FADING_PLACES: usize = 12;
const FADE_SECONDS: f32 = 0.003;

/// A note that begins.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Note {
    /// Tells notes of one pitch apart.
    pub id: u64,
    pub pitch: u8,
    /// Above 0, up to 1.
    pub velocity: f32,
}

/// What a pool needs to know of a voice.
pub trait Voice {
    /// How loud it is about, to choose which one nobody would miss.
    fn level(&self) -> f32;
    fn release(&mut self);
    fn is_over(&self) -> bool;
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Free,
    Held,
    Released,
    Fading,
}

struct Slot<V> {
    voice: V,
    place: Place,
    note: Note,
    /// The frame of its start.
    since: u64,
    fade: f32,
}

/// A voice that could make room. The least is missed least: released before held, then quiet, then old.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct Victim {
    held: bool,
    level: f32,
    since: u64,
    slot: usize,
}

pub struct VoicePool<V> {
    slots: Vec<Slot<V>>,
    /// Behind them all places are free.
    used: usize,
    fade_step: f32,
}

impl<V: Voice> VoicePool<V> {
    /// Allocates all that it ever needs.
    pub fn new(rate: f32, voice: impl Fn() -> V) -> VoicePool<V> {
        let note = Note { id: 0, pitch: 0, velocity: 0.0 };
        let slot = |_| Slot { voice: voice(), place: Place::Free, note, since: 0, fade: 1.0 };
        let slots = (0..MOST_VOICES + FADING_PLACES).map(slot).collect();
        VoicePool { slots, used: 0, fade_step: 1.0 / (FADE_SECONDS * rate) }
    }

    /// Voices that sound and do not fade.
    pub fn sounding(&self) -> usize {
        let used = self.slots.iter().take(self.used);
        used.filter(|slot| matches!(slot.place, Place::Held | Place::Released)).count()
    }

    /// Begins a note in a voice that `start` prepares. At most `limit` sound then (1 to [`MOST_VOICES`]).
    pub fn begin(&mut self, note: Note, now: u64, limit: usize, start: impl FnOnce(&mut V)) {
        for slot in &mut self.slots {
            if slot.place == Place::Held && slot.note.pitch == note.pitch {
                slot.place = Place::Fading;
            }
        }
        while self.sounding() >= limit.clamp(1, MOST_VOICES) {
            let Some(victim) = self.victim() else { break };
            self.fade(victim);
        }
        let free = self.slots.iter().position(|slot| slot.place == Place::Free);
        let index = free.or_else(|| {
            let fading = self.slots.iter().enumerate().filter(|(_, slot)| slot.place == Place::Fading);
            fading.min_by(|a, b| a.1.fade.total_cmp(&b.1.fade)).map(|(index, _)| index)
        });
        if let Some((index, slot)) = index.and_then(|index| Some((index, self.slots.get_mut(index)?))) {
            self.used = self.used.max(index + 1);
            (slot.place, slot.note, slot.since, slot.fade) = (Place::Held, note, now, 1.0);
            start(&mut slot.voice);
        }
    }

    /// Releases the note; of several of one id all.
    pub fn end(&mut self, id: u64, pitch: u8) {
        for slot in &mut self.slots {
            if slot.place == Place::Held && slot.note.id == id && slot.note.pitch == pitch {
                slot.place = Place::Released;
                slot.voice.release();
            }
        }
    }

    pub fn end_all(&mut self) {
        for slot in &mut self.slots {
            if slot.place == Place::Held {
                slot.place = Place::Released;
                slot.voice.release();
            }
        }
    }

    /// Everything that sounds ends within 3 ms.
    pub fn fade_all(&mut self) {
        for slot in &mut self.slots {
            if slot.place != Place::Free {
                slot.place = Place::Fading;
            }
        }
    }

    /// Fades the voices of the notes that `of` names.
    pub fn fade_where(&mut self, of: impl Fn(&V) -> bool) {
        for slot in &mut self.slots {
            if slot.place != Place::Free && of(&slot.voice) {
                slot.place = Place::Fading;
            }
        }
    }

    /// The voice that would be missed least. Never the lowest note that is held, if there is another.
    pub fn victim(&self) -> Option<Victim> {
        let held = |slot: &&Slot<V>| slot.place == Place::Held;
        let count = self.slots.iter().filter(held).count();
        let lowest = self.slots.iter().filter(held).map(|slot| slot.note.pitch).min();
        let kept = |slot: &Slot<V>| slot.place == Place::Held && count > 1 && Some(slot.note.pitch) == lowest;
        let victims = self.slots.iter().enumerate().filter_map(|(index, slot)| {
            let held = match slot.place {
                Place::Held if !kept(slot) => true,
                Place::Released => false,
                _ => return None,
            };
            Some(Victim { held, level: slot.voice.level(), since: slot.since, slot: index })
        });
        victims.min_by(|a, b| a.partial_cmp(b).unwrap_or(std::cmp::Ordering::Equal))
    }

    pub fn fade(&mut self, victim: Victim) {
        if let Some(slot) = self.slots.get_mut(victim.slot) {
            slot.place = Place::Fading;
        }
    }

    /// The voice of the note that began last and is held.
    pub fn newest_held(&mut self) -> Option<&mut V> {
        let held = self.slots.iter_mut().filter(|slot| slot.place == Place::Held);
        held.max_by_key(|slot| slot.since).map(|slot| &mut slot.voice)
    }

    /// Gives the held voice another note, without a new start.
    pub fn rename_held(&mut self, note: Note) {
        for slot in self.slots.iter_mut().filter(|slot| slot.place == Place::Held) {
            slot.note = note;
        }
    }

    /// Adds what every voice makes by `render`, which fills a silent bus.
    pub fn render(&mut self, span: &Span, bus: &mut Bus, mut render: impl FnMut(&mut V, &mut Bus)) {
        let used = self.slots.iter_mut().take(self.used);
        for slot in used.filter(|slot| slot.place != Place::Free) {
            let mut own = Bus::SILENT;
            render(&mut slot.voice, &mut own);
            slot.give(&own, self.fade_step, span, bus);
        }
        self.forget_free();
    }

    /// As [`VoicePool::render`], four voices at a time; the last ones of them may be missing.
    pub fn render_fours(
        &mut self,
        span: &Span,
        bus: &mut Bus,
        mut render: impl FnMut([Option<&mut V>; 4], &mut [Bus; 4]),
    ) {
        let used = self.slots.iter_mut().take(self.used);
        let mut sounding = used.filter(|slot| slot.place != Place::Free);
        while let Some(first) = sounding.next() {
            let mut slots = [Some(first), sounding.next(), sounding.next(), sounding.next()];
            let mut own = [Bus::SILENT; 4];
            render(slots.each_mut().map(|slot| slot.as_mut().map(|slot| &mut slot.voice)), &mut own);
            for (slot, own) in slots.into_iter().flatten().zip(&own) {
                slot.give(own, self.fade_step, span, bus);
            }
        }
        self.forget_free();
    }

    fn forget_free(&mut self) {
        let used = self.slots.iter().take(self.used).rposition(|slot| slot.place != Place::Free);
        self.used = used.map_or(0, |last| last + 1);
    }
}

impl<V: Voice> Slot<V> {
    /// Adds what its voice has made, as far as it has not faded, and is free when that was its last.
    fn give(&mut self, own: &Bus, fade_step: f32, span: &Span, bus: &mut Bus) {
        if self.place == Place::Fading {
            let mut gains: Lane = [0.0; TICK];
            for gain in gains.iter_mut().take(span.frames) {
                self.fade = (self.fade - fade_step).max(0.0);
                *gain = self.fade;
            }
            bus.add_scaled(own, &gains);
        } else {
            bus.add(own);
        }
        if self.voice.is_over() || self.fade <= 0.0 {
            self.place = Place::Free;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Tone(f32);

    impl Voice for Tone {
        fn level(&self) -> f32 {
            self.0
        }
        fn release(&mut self) {}
        fn is_over(&self) -> bool {
            false
        }
    }

    fn pool() -> VoicePool<Tone> {
        VoicePool::new(48_000.0, || Tone(0.0))
    }

    fn begin(pool: &mut VoicePool<Tone>, pitch: u8, level: f32, now: u64) {
        pool.begin(Note { id: u64::from(pitch), pitch, velocity: 1.0 }, now, MOST_VOICES, |voice| voice.0 = level);
    }

    fn sounding(pool: &VoicePool<Tone>) -> Vec<u8> {
        let sounding = pool.slots.iter().filter(|slot| matches!(slot.place, Place::Held | Place::Released));
        let mut pitches: Vec<u8> = sounding.map(|slot| slot.note.pitch).collect();
        pitches.sort_unstable();
        pitches
    }

    #[test]
    fn released_then_quiet_then_old_voices_make_room_and_never_the_bass() {
        let mut pool = pool();
        for pitch in 40..72 {
            begin(&mut pool, pitch, if pitch == 55 { 0.1 } else { 0.5 }, u64::from(pitch));
        }
        assert_eq!(pool.sounding(), 32);
        pool.end(60, 60);
        for (pitch, gone) in [(80, 60), (81, 55), (82, 41), (83, 42)] {
            begin(&mut pool, pitch, 0.5, u64::from(pitch));
            assert!(!sounding(&pool).contains(&gone), "{pitch} takes the place of {gone}");
            assert_eq!(pool.sounding(), 32);
        }
        assert!(sounding(&pool).contains(&40));
    }

    #[test]
    fn a_pitch_sounds_once() {
        let mut pool = pool();
        begin(&mut pool, 60, 0.5, 1);
        begin(&mut pool, 60, 0.5, 2);
        assert_eq!(sounding(&pool), [60]);
    }
}
