//! Beats as musicians read them. Beats of the device are quarters; a bar and its beats are those of the meter.

/// A meter such as 6/8.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ShownMeter {
    pub numerator: f64,
    pub denominator: f64,
}

impl ShownMeter {
    /// Of `6/8`; what is no meter counts as 4/4.
    pub fn of(text: &str) -> ShownMeter {
        let mut parts = text.split('/').filter_map(|part| part.parse::<u32>().ok()).filter(|part| *part > 0);
        let (numerator, denominator) = (parts.next().unwrap_or(4), parts.next().unwrap_or(4));
        ShownMeter { numerator: f64::from(numerator), denominator: f64::from(denominator) }
    }

    /// Quarters in a bar.
    pub fn bar(self) -> f64 {
        self.numerator * 4.0 / self.denominator
    }

    /// Quarters in a beat.
    pub fn beat(self) -> f64 {
        4.0 / self.denominator
    }

    /// `5.2.1`: bar, beat, sixteenth, each from 1.
    pub fn position(self, quarters: f64) -> String {
        // A clock that stands a rounding error before a beat is on it.
        let time = quarters + 1e-6;
        let bars = (time / self.bar()).floor();
        let within = time - bars * self.bar();
        let beats = (within / self.beat()).floor();
        let sixteenths = ((within - beats * self.beat()) / 0.25).floor();
        let bar = if bars < 0.0 { bars } else { bars + 1.0 };
        format!("{bar}.{}.{}", beats + 1.0, sixteenths + 1.0)
    }

    /// `5.2.1` without the ones at its end: `5`, `5.2`.
    pub fn short_position(self, quarters: f64) -> String {
        let text = self.position(quarters);
        let text = text.strip_suffix(".1").unwrap_or(&text);
        text.strip_suffix(".1").unwrap_or(text).to_owned()
    }

    /// `5|2.5`: as the tools take a position.
    pub fn bar_beat(self, quarters: f64) -> String {
        let bars = (quarters / self.bar() + 1e-9).floor();
        let beat = (quarters - bars * self.bar()) / self.beat() + 1.0;
        format!("{}|{}", bars + 1.0, (beat * 10_000.0).round() / 10_000.0)
    }

    /// `2 bars`, `1 bar 2 beats`, `3 beats`.
    pub fn span(self, quarters: f64) -> String {
        let bars = (quarters / self.bar() + 1e-9).floor();
        let beats = ((quarters - bars * self.bar()) / self.beat() * 100.0).round() / 100.0;
        let words = |count: f64, word: &str| format!("{count} {word}{}", if count == 1.0 { "" } else { "s" });
        match (bars > 0.0, beats > 0.0) {
            (true, true) => format!("{} {}", words(bars, "bar"), words(beats, "beat")),
            (true, false) => words(bars, "bar"),
            (false, _) => words(beats, "beat"),
        }
    }
}

const NAMES: [&str; 12] = ["C", "C#", "D", "Eb", "E", "F", "F#", "G", "Ab", "A", "Bb", "B"];

/// The name of a pitch class.
pub fn root_name(root: u8) -> &'static str {
    NAMES.get(usize::from(root % 12)).copied().unwrap_or_default()
}

/// `C3` is 60.
pub fn pitch_name(pitch: u8) -> String {
    format!("{}{}", root_name(pitch), i32::from(pitch / 12) - 2)
}

pub fn is_black_key(pitch: u8) -> bool {
    matches!(pitch % 12, 1 | 3 | 6 | 8 | 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_in_words() {
        let (four, six) = (ShownMeter::of("4/4"), ShownMeter::of("6/8"));
        assert_eq!((ShownMeter::of("x"), ShownMeter::of("0/0")), (four, four));
        for (meter, beats, position, short, bar_beat, span) in [
            (four, 0.0, "1.1.1", "1", "1|1", "0 beats"),
            (four, 3.999_999_9, "2.1.1", "2", "1|5", "4 beats"),
            (four, 17.5, "5.2.3", "5.2.3", "5|2.5", "4 bars 1.5 beats"),
            (six, 3.0, "2.1.1", "2", "2|1", "1 bar"),
            (six, 1.0, "1.3.1", "1.3", "1|3", "2 beats"),
        ] {
            assert_eq!(meter.position(beats), position, "{beats}");
            assert_eq!(meter.short_position(beats), short, "{beats}");
            assert_eq!(meter.bar_beat(beats), bar_beat, "{beats}");
            assert_eq!(meter.span(beats), span, "{beats}");
        }
        assert_eq!((pitch_name(60), pitch_name(0), root_name(6)), ("C3".to_owned(), "C-2".to_owned(), "F#"));
    }
}
