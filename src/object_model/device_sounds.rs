//! How near each native device comes to what it stands for, as data: what reads say as `sounds`.

use super::default_sound::DefaultSound;
use super::native_devices::by_class;
use std::collections::HashMap;
use std::sync::LazyLock;

/// How a device is heard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Heard {
    /// What it says is what is heard.
    Exact,
    /// It does what it stands for, but sounds otherwise.
    Approximate,
    /// As what stands in its chains.
    Chains,
    /// As [`Approximate`](Self::Approximate) where it has samples, else as [`StandIn`](Self::StandIn).
    Samples(Option<DefaultSound>),
    /// A default sound plays; `None`: the one that the track's name and notes choose.
    StandIn(Option<DefaultSound>),
    /// It has no code: the signal passes it by.
    Bypassed,
}

/// A line of the table.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DeviceSound {
    /// As the user calls it.
    pub name: &'static str,
    pub heard: Heard,
    /// What is not there, or is otherwise; empty where there is nothing to say.
    pub otherwise: &'static str,
}

/// Every line, in the order of the device table.
pub fn all() -> impl Iterator<Item = DeviceSound> {
    include_str!("data/device_sounds.txt").lines().filter(|line| !line.starts_with('#')).filter_map(|line| {
        let mut cells = line.split('|').map(str::trim);
        let (name, how, otherwise) = (cells.next()?, cells.next()?, cells.next()?);
        let heard = match how.split_once(' ') {
            Some(("stand-in", sound)) => Heard::StandIn(named_sound(sound)?),
            Some(("samples", sound)) => Heard::Samples(named_sound(sound)?),
            None if how == "exact" => Heard::Exact,
            None if how == "approximate" => Heard::Approximate,
            None if how == "chains" => Heard::Chains,
            None if how == "bypassed" => Heard::Bypassed,
            _ => return None,
        };
        Some(DeviceSound { name, heard, otherwise })
    })
}

/// A default sound by its name, or `track`.
fn named_sound(name: &str) -> Option<Option<DefaultSound>> {
    if name == "track" {
        return Some(None);
    }
    DefaultSound::ALL.into_iter().find(|sound| sound.name() == name).map(Some)
}

/// The line of a native device by its class; `None` for plug-ins, Max devices and what is not known.
pub fn of_class(class_name: &str) -> Option<DeviceSound> {
    static LINES: LazyLock<HashMap<&'static str, DeviceSound>> =
        LazyLock::new(|| all().map(|line| (line.name, line)).collect());
    by_class(class_name).and_then(|(name, _)| LINES.get(name)).copied()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::object_model::native_devices::{DeviceCategory, table};

    #[test]
    fn every_native_device_has_a_line() {
        let lines = include_str!("data/device_sounds.txt").lines().filter(|line| !line.starts_with('#')).count();
        assert_eq!(all().count(), lines, "each line is `name | how | what is otherwise`");
        let named: Vec<&str> = all().map(|line| line.name).collect();
        assert_eq!(named, table().devices.keys().collect::<Vec<_>>());
    }

    #[test]
    fn each_kind_of_device_is_heard_as_its_kind_can_be() {
        for (name, class) in &table().devices {
            let line = of_class(&class.class_name).unwrap();
            let instrument = class.category == DeviceCategory::Instrument;
            assert!(instrument || !matches!(line.heard, Heard::StandIn(_) | Heard::Samples(_)), "{name}");
            assert!(line.heard != Heard::Bypassed || !instrument, "an instrument is never passed by: {name}");
            assert!(line.heard != Heard::Approximate || !line.otherwise.is_empty(), "{name}: approximate, why?");
        }
    }

    const BEGIN: &str = "<!-- made from the table of devices -->\n";
    const END: &str = "<!-- end of the table -->";

    fn page_table() -> String {
        let rows = all().map(|DeviceSound { name, heard, otherwise }| {
            let how = match heard {
                Heard::Exact => "exact".to_owned(),
                Heard::Approximate => "approximate".to_owned(),
                Heard::Chains => "as its chains".to_owned(),
                Heard::Samples(None) => "approximate; without samples the track's default sound".to_owned(),
                Heard::Samples(Some(sound)) => format!("approximate; without a sample {}", sound.name()),
                Heard::StandIn(None) => "stand-in: the track's default sound".to_owned(),
                Heard::StandIn(Some(sound)) => format!("stand-in: {}", sound.name()),
                Heard::Bypassed => "stand-in: bypassed".to_owned(),
            };
            format!("| {name} | {how} | {otherwise} |\n")
        });
        format!("| Device | | What is not there, or is otherwise |\n|---|---|---|\n{}", rows.collect::<String>())
    }

    /// Run with `WRITE_DOCS=1` to write the page's table anew.
    #[test]
    fn the_page_says_what_the_table_says() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/sound.md");
        let page = std::fs::read_to_string(path).unwrap();
        let (before, rest) = page.split_once(BEGIN).expect("docs/sound.md marks where the table begins");
        let (found, after) = rest.split_once(END).expect("docs/sound.md marks where the table ends");
        if std::env::var_os("WRITE_DOCS").is_some() {
            std::fs::write(path, format!("{before}{BEGIN}{}{END}{after}", page_table())).unwrap();
        } else {
            assert_eq!(found, page_table(), "docs/sound.md is out of date");
        }
    }
}
