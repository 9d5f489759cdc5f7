//! What `--help` says.

/// What help is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Topic {
    Device,
    Live,
    Doctor,
    Info,
    Diff,
    Lint,
    Convert,
    Render,
}

impl Topic {
    pub fn text(self) -> &'static str {
        match self {
            Topic::Device => DEVICE,
            Topic::Live => LIVE,
            Topic::Doctor => DOCTOR,
            Topic::Info => INFO,
            Topic::Diff => DIFF,
            Topic::Lint => LINT,
            Topic::Convert => CONVERT,
            Topic::Render => RENDER,
        }
    }
}

const DEVICE: &str = "\
svc-device: a music session behind a local HTTP server

Usage: svc-device [--headless] [--port N] [--open FILE] [--data-dir DIR] [--host HOST] [--token-file FILE]
                  [--midi-out NAME] [--salvage]
       svc-device mcp [--port N] [--header NAME:VALUE]... [--open FILE] [--data-dir DIR] [--token-file FILE]
       svc-device live install|remove [--user-library DIR] [--data-dir DIR]
       svc-device live status [--user-library DIR] [--port N] [--data-dir DIR] [--token-file FILE]
       svc-device live check [--port N] [--data-dir DIR] [--token-file FILE] [--yes] [--any-host]
       svc-device doctor [--port N] [--data-dir DIR] [--token-file FILE] [--user-library DIR]
       svc-device info FILE [--json] [--salvage]
       svc-device diff OLD NEW [--json]
       svc-device lint FILE [--json]
       svc-device convert FROM TO [--salvage]
       svc-device render FILE [-o OUT.wav] [...]

  --headless       no window
  --port N         listen on this port, whatever the settings say; 0 picks a free one; not saved
  --open FILE      the Set in this file (.svcset, or JSON), which is made if it is missing; changes are saved to it. A
                   Live Set (.als) is never written: changes go to the .svcset of its name beside it
  --salvage        of a Live Set that is damaged, read what stands before the damage
  --data-dir DIR   where settings and the Set are kept, instead of ~/.svc
  --host HOST      whose Set the tools work on, whatever the settings say: embedded (the device's own), live (the one
                   that is open in Ableton Live, through the script there), or auto; not saved
  --midi-out NAME  send the notes to the MIDI port of this name (or with this in its name) that another program or a
                   device has; an unknown name lists the ports
  --token-file FILE  the token in this file is wanted with every call, instead of the one that is set (none at first)
  mcp              speak the Model Context Protocol on stdin and stdout, for clients that start commands: for the
                   device that runs on the port (default 3350), or as one without a window when none does
  --header N:V     with mcp: a profile header to send with each request, such as x-svc-notation:stark
  live             the script in Ableton Live: svc-device live --help
  doctor           what is right and what is wrong here: svc-device doctor --help
  info             what a Live Set (.als) or a .svcset holds: svc-device info --help
  diff             what changed between two files with a Set: svc-device diff --help
  lint             what in a file is missing, of no use or not heard: svc-device lint --help
  convert          writes a Set as a .svcset: svc-device convert --help
  render           a Set as a WAV or FLAC file, and what is to be heard in it: svc-device render --help
  --help, -h       this text
  --version, -V    the version

When it is ready it prints: svc-device listening on http://127.0.0.1:PORT
Ctrl-C ends it. Notes go to a JACK port if a JACK server runs, else to a virtual MIDI port; on Windows, which has none,
to the port that --midi-out names. Sound goes to JACK, else to the sound card; a line on stderr says where both go.";

const LIVE: &str = "\
svc-device live: the script in Ableton Live

Usage: svc-device live install|remove [--user-library DIR] [--data-dir DIR]
       svc-device live status [--user-library DIR] [--port N] [--data-dir DIR] [--token-file FILE]
       svc-device live check [--port N] [--data-dir DIR] [--token-file FILE] [--yes] [--any-host]

  install          writes the script into Remote Scripts/SvcDevice of Live's User Library; what lay there is kept
  status           says how it stands there, and what a Live runs that a device here is linked with: exit code 0
                   when this very script is installed and none runs another, 1 otherwise
  remove           removes the script and the earlier one that was kept
  check            goes through what only a person with Live can see, with the device that runs (port 3350), and ends
                   with a report to send; about twenty minutes

  --user-library DIR  Live's User Library, as Live shows it under Settings > Library; known from the next time on
  --data-dir DIR   where that is kept, and the token, instead of ~/.svc
  --port N         the port of the running device
  --token-file FILE  the token that the running device wants, instead of the one that is set
  --yes            answers every question with yes
  --any-host       goes on although the device does not drive Live";

const DOCTOR: &str = "\
svc-device doctor: what is right and what is wrong here

Usage: svc-device doctor [--port N] [--data-dir DIR] [--token-file FILE] [--user-library DIR]

Looks at the data folder, the settings, the last save, the port and who has it, the token, folders and grants, the sample
library, the installed plugins and who has scanned them, the host and the script in Ableton Live; changes nothing. Exit
code 1 when something is wrong; each such line says what to do.

  --port N         the port to look at, instead of the one in the settings
  --data-dir DIR   the data folder, instead of ~/.svc
  --token-file FILE  the token that the running device wants, instead of the one that is set
  --user-library DIR  Live's User Library, where it is not the one that is found";

const INFO: &str = "\
svc-device info: what a Set in a file holds

Usage: svc-device info FILE [--json] [--salvage]

Reads a Set that Ableton Live saved (.als), or one of our own (.svcset), and prints its tempo, tracks, scenes and clips;
of a Live Set also what will sound different, and by kind and count what of it would not come along. Of a preset (.adv,
.adg) it prints the device. Changes nothing, and needs no running device. Exit code 1 when the file cannot be read.

  --json           prints all of it as JSON
  --salvage        of a Live Set that is damaged, reads what stands before the damage";

const DIFF: &str = "\
svc-device diff: what changed between two files with a Set

Usage: svc-device diff OLD NEW [--json]

Reads two Sets, each a Live Set (.als) or one of our own (.svcset, .json), and prints what is different, an object a line
in the words of the history. A track, scene, clip or device that was renamed or moved is told as that: what in the one
file is what in the other is found by names, places and what they hold. Changes nothing, and needs no running device.
Exit code 0 when both hold the same, 1 when something is different, 2 when a file cannot be read.

  --json           prints the entries that svc-read-history gives with diff";

const LINT: &str = "\
svc-device lint: what in a file with a Set is missing, of no use, or not heard

Usage: svc-device lint FILE [--json]

Reads a Live Set (.als) or one of our own (.svcset, .json) and prints, by kind, with names and places: missing samples,
muted and empty tracks, tracks that go nowhere, clips behind the end (of the loop that is on, of all else by 16 bars, of
their sample; with all notes outside of what they play), sends to nowhere, returns that nothing is sent to, devices that
are not heard as themselves here (plug-ins, Max, kinds without code), frozen tracks. Changes nothing, and needs no running
device. Exit code 0 when nothing was found, 1 when something was, 2 when the file cannot be read.

  --json           prints all of it as JSON";

const CONVERT: &str = "\
svc-device convert: a Set in another file

Usage: svc-device convert FROM TO [--salvage]

Reads the Set in FROM, a Live Set (.als) or one of our own (.svcset, .json), and writes it to TO, which ends in .svcset
(compressed) or .json and is not there yet. FROM stays as it is. What of a Live Set did not come along is printed by
kind and count. Exit code 1 when FROM cannot be read or TO cannot be written.

  --salvage        of a Live Set that is damaged, reads what stands before the damage";

const RENDER: &str = "\
svc-device render: a Set as sound, and what is to be heard in it

Usage: svc-device render FILE [-o OUT.wav] [--from POS] [--to POS] [--scene SCENE [--bars N]] [--stems DIR]
                         [--rate HZ] [--bits N] [--tail auto|SECONDS] [--normalize LEVEL] [--seed N] [--strict]
                         [--midi OUT.mid] [--picture OUT.png] [--report json]

Renders the Set in FILE, a Live Set (.als) or one of our own (.svcset, .json), faster than it lasts, by the same engine
that plays it, and prints how loud it and its tracks are and what a listener would remark on. Needs no running device.
The same Set, stretch, rate and seed give the same file, bit for bit.

  -o OUT.wav       where the sound goes, in place of what is there, as FLAC where it ends in .flac; without it, it is
                   only listened to
  --from POS, --to POS  a part of the Arrangement, as bar|beat or loc:LOCATOR: --from 1|1 --to 17|1; all of it
                   without them
  --scene SCENE    a scene instead, by its place (s0) or its name, until its longest clip came round once
  --bars N         so many bars of it
  --stems DIR      a file for each track that goes into the main one and sounds, in the format of OUT; their sum goes
                   into its devices
  --rate HZ        44100, 48000 (without it), 88200 or 96000
  --bits N         16 (with dither), 24 (without it) or 32 (floating point, never cut; not in FLAC)
  --tail T         auto, until it is silent, at most 30 s (without it), or seconds, 0 to 600
  --normalize L    brings the mix to a loudness, -14LUFS, or a true peak, -1dBTP, by one gain, the stems too
  --seed N         draws the notes with a chance otherwise; 1 without it
  --strict         refuses where a track would sound otherwise than the Set says: only nearly so, by a stand-in,
                   without its sample
  --midi OUT.mid   the notes that were played, a track each; drums on channel 10
  --picture OUT.png  the waveform and the spectrogram
  --report json    prints the report as JSON

Exit code 1 when nothing could be rendered, and then no file is written; 3 when it is rendered and silent. Ctrl-C gives
it up and leaves no file.";
