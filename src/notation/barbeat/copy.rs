//! Copies of bars: what `@5=1-4` adds to the notes.
//!
//! Invariant: a copy visits only bars that hold something, and what it adds counts against the limit as it is added.

use super::play::Player;
use super::source::Source;
use crate::music::Note;
use crate::music::on_grid;
use crate::notation::NotationErrors;

impl Player<'_> {
    pub(super) fn copy(
        &mut self,
        into: (f64, Option<f64>),
        from: Option<(f64, f64)>,
        source: Source,
    ) -> Result<(), NotationErrors> {
        let (into_first, into_last) = (into.0 as i64, into.1.map(|bar| bar as i64));
        let (from_first, from_last) = from.map_or((into_first - 1, into_first - 1), |(a, b)| (a as i64, b as i64));
        let refusal = if into_last.is_some_and(|last| last < into_first) || from_last < from_first {
            Some("its range runs backwards")
        } else if from_first < 1 {
            Some("there is no bar before bar 1")
        } else {
            None
        };
        if let Some(reason) = refusal {
            self.warn(source, |written| format!("{written} copied nothing: {reason}"));
            self.forget_pitches();
            return Ok(());
        }
        self.warn_lost("before a bar copy", source);
        self.forget_pitches();
        let sources = from_last - from_first + 1;
        let targets = into_last.map_or(sources, |last| last - into_first + 1);
        let mut copied_any = false;
        let mut onto_itself = false;
        let mut done = 0;
        while done < targets {
            let tile = done - done % sources;
            if into_first + tile == from_first {
                onto_itself = true;
                done = tile + sources;
                continue;
            }
            let filled = self.next_filled(from_first + done % sources, from_last);
            let Some(filled) = filled else {
                if done == tile {
                    // The whole source is empty, and nothing that is still to come fills it.
                    break;
                }
                done = tile + sources;
                continue;
            };
            done = tile + (filled - from_first);
            if done < targets {
                self.copy_bar(filled, into_first + done)?;
                copied_any = true;
            }
            done += 1;
        }
        if onto_itself {
            self.warn(source, |written| format!("{written} would copy bars onto themselves; those are skipped"));
        } else if !copied_any {
            let bars = if sources == 1 {
                format!("bar {from_first} is")
            } else {
                format!("bars {from_first}-{from_last} are")
            };
            self.warn(source, |written| format!("{written} copied nothing: {bars} empty"));
        }
        Ok(())
    }

    /// The first bar from `first` to `last` that holds notes to copy.
    fn next_filled(&self, first: i64, last: i64) -> Option<i64> {
        self.bars.as_ref()?.range(first..=last).next().map(|(bar, _)| *bar)
    }

    fn copy_bar(&mut self, source: i64, target: i64) -> Result<(), NotationErrors> {
        let indices = self.bars.as_ref().and_then(|bars| bars.get(&source)).cloned().unwrap_or_default();
        let shift = (target - source) as f64 * self.meter.bar_length();
        for index in indices {
            if let Some(note) = self.notes.get(index).copied() {
                self.push(Note { start: on_grid(note.start + shift), ..note });
                self.check_limit()?;
            }
        }
        Ok(())
    }
}
