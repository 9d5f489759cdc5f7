//! Time signatures.

use super::time::Beats;
use std::fmt;
use std::str::FromStr;

/// A time signature `numerator/denominator`; the denominator is a power of two from 1 to 16, as in Live.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Meter {
    numerator: u8,
    denominator: u8,
}

/// Why a text or a pair of numbers is no time signature.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("\"{0}\" is no time signature: write N/D, with N from 1 to 99 and D one of 1, 2, 4, 8, 16, such as 4/4 or 6/8")]
pub struct BadMeter(pub String);

impl Meter {
    /// 4/4.
    pub const COMMON: Meter = Meter { numerator: 4, denominator: 4 };

    /// The meter `numerator/denominator`; the numerator is 1 to 99, the denominator 1, 2, 4, 8 or 16.
    pub fn new(numerator: i64, denominator: i64) -> Result<Meter, BadMeter> {
        let bad = || BadMeter(format!("{numerator}/{denominator}"));
        if !(1..=99).contains(&numerator) || ![1, 2, 4, 8, 16].contains(&denominator) {
            return Err(bad());
        }
        Ok(Meter {
            numerator: u8::try_from(numerator).map_err(|_| bad())?,
            denominator: u8::try_from(denominator).map_err(|_| bad())?,
        })
    }

    /// Musical beats in a bar.
    pub fn numerator(self) -> u8 {
        self.numerator
    }

    /// The note value of a musical beat: 4 is a quarter, 8 an eighth.
    pub fn denominator(self) -> u8 {
        self.denominator
    }

    /// Length of one musical beat in quarter beats.
    pub fn beat_length(self) -> Beats {
        4.0 / f64::from(self.denominator)
    }

    /// Length of one bar in quarter beats.
    pub fn bar_length(self) -> Beats {
        f64::from(self.numerator) * self.beat_length()
    }
}

impl Default for Meter {
    fn default() -> Self {
        Meter::COMMON
    }
}

impl fmt::Display for Meter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.numerator, self.denominator)
    }
}

impl FromStr for Meter {
    type Err = BadMeter;

    fn from_str(text: &str) -> Result<Meter, BadMeter> {
        let bad = || BadMeter(text.to_owned());
        let (n, d) = text.trim().split_once('/').ok_or_else(bad)?;
        let number = |part: &str| {
            (!part.is_empty() && part.bytes().all(|b| b.is_ascii_digit()))
                .then(|| part.parse::<i64>().ok())
                .flatten()
                .ok_or_else(bad)
        };
        Meter::new(number(n)?, number(d)?).map_err(|_| bad())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_and_writes_time_signatures() {
        for (text, beat, bar) in
            [("4/4", 1.0, 4.0), ("6/8", 0.5, 3.0), ("2/2", 2.0, 4.0), ("5/16", 0.25, 1.25), ("99/1", 4.0, 396.0)]
        {
            let meter: Meter = text.parse().unwrap();
            assert_eq!((meter.to_string().as_str(), meter.beat_length(), meter.bar_length()), (text, beat, bar));
        }
        for text in ["", "4", "4/3", "0/4", "100/4", "4/32", "-4/4", "+4/4", "4/4/4", "4 /4", "a/b"] {
            assert!(text.parse::<Meter>().is_err(), "{text}");
        }
    }
}
