//! A MIDI port that another program or a device has, found by its name.

use super::paced::MidiSink;
use super::virtual_port::{KIND, client};

/// A connection to it.
pub struct NamedPort {
    connection: midir::MidiOutputConnection,
    name: String,
}

/// Connects to the port of that name, or to the only one whose name has it as a part, in any case. The error lists the
/// ports that are there.
pub fn open(client_name: &str, port: &str, wanted: &str) -> Result<NamedPort, String> {
    let output = client(client_name).map_err(|why| format!("--midi-out {wanted:?} cannot be had: {why}"))?;
    let mut ports = output.ports();
    // One that went meanwhile has no name any more.
    ports.retain(|port| output.port_name(port).is_ok());
    let names: Vec<String> = ports.iter().filter_map(|port| output.port_name(port).ok()).collect();
    let at = find(&names, wanted)?;
    let (Some(found), Some(name)) = (ports.get(at), names.get(at)) else { return Err(unknown(&names, wanted)) };
    let connection = output.connect(found, port).map_err(|error| {
        format!("the {KIND} MIDI port {name:?} does not take us ({error}); another program may have it")
    })?;
    Ok(NamedPort { connection, name: name.clone() })
}

impl NamedPort {
    /// Its whole name.
    pub fn name(&self) -> &str {
        &self.name
    }
}

impl MidiSink for NamedPort {
    fn send(&mut self, message: [u8; 3]) -> bool {
        self.connection.send(&message).is_ok()
    }
}

/// Which of the names is meant.
fn find(names: &[String], wanted: &str) -> Result<usize, String> {
    if let Some(at) = names.iter().position(|name| name == wanted) {
        return Ok(at);
    }
    let part = wanted.to_lowercase();
    let fits: Vec<usize> =
        names.iter().enumerate().filter(|(_, name)| name.to_lowercase().contains(&part)).map(|(at, _)| at).collect();
    match fits.as_slice() {
        [one] => Ok(*one),
        [] => Err(unknown(names, wanted)),
        several => {
            let several: Vec<String> = several.iter().filter_map(|at| names.get(*at).cloned()).collect();
            Err(format!("--midi-out {wanted:?} fits several MIDI ports: {}; name one of them whole", quoted(&several)))
        }
    }
}

fn unknown(names: &[String], wanted: &str) -> String {
    match names {
        [] => format!("--midi-out {wanted:?}: this machine has no {KIND} MIDI port; {HOW_TO_GET_ONE}"),
        names => format!("--midi-out {wanted:?}: there is no such {KIND} MIDI port; there are {}", quoted(names)),
    }
}

const HOW_TO_GET_ONE: &str = if cfg!(windows) {
    "a program such as loopMIDI makes ports that two programs share"
} else {
    "plug a device in, or start the program that is to play the notes"
};

fn quoted(names: &[String]) -> String {
    names.iter().map(|name| format!("{name:?}")).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_port_is_named_whole_or_by_a_part_that_is_its_alone() {
        let names = ["loopMIDI Port", "loopMIDI Port 1", "Synth (USB)"].map(str::to_owned);
        for (wanted, found) in [
            ("loopMIDI Port", Ok(0)),
            ("loopMIDI Port 1", Ok(1)),
            ("synth", Ok(2)),
            ("port 1", Ok(1)),
            ("loop", Err("fits several MIDI ports: \"loopMIDI Port\", \"loopMIDI Port 1\"; name one")),
            ("Grand Piano", Err("there are \"loopMIDI Port\", \"loopMIDI Port 1\", \"Synth (USB)\"")),
        ] {
            match (find(&names, wanted), found) {
                (Ok(at), Ok(expected)) => assert_eq!(at, expected, "{wanted}"),
                (Err(why), Err(part)) => assert!(why.contains(part) && why.contains(wanted), "{wanted}: {why}"),
                other => panic!("{wanted}: {other:?}"),
            }
        }
        assert!(find(&[], "x").unwrap_err().contains("has no"));
    }
}
