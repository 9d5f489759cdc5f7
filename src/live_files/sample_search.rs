//! Where the samples that a Set names are: beside it in its project's folder, or where they were when it was saved.

use crate::disk::is_in_real_folder;
use crate::files::audio::probe;
use crate::files::read_budget::{ReadBudget, ReadLimits};
use crate::files::spellings::spelled_as_there;
use crate::object_model::audio::AudioFacts;
use crate::paths::AllowedFolders;
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// Live makes it in the folder of each project.
const PROJECT_MARK: &str = "Ableton Project Info";
/// Folders between a Set and its project's.
const MOST_FOLDERS_UP: usize = 4;

/// What a file says of a sample.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SampleReference {
    /// From the project's folder, or from another that only Live knows.
    pub relative_path: String,
    /// Where it was when the Set was saved.
    pub path: String,
    /// Frames and rate as they were then.
    pub frames: u64,
    pub sample_rate_hz: f64,
}

/// Looks for samples; each file is read once.
#[derive(Default)]
pub struct SampleSearch {
    folders: Vec<PathBuf>,
    allowed: AllowedFolders,
    known: HashMap<PathBuf, Look>,
    is_off: bool,
}

/// The result of probing a place.
#[derive(Clone)]
enum Look {
    Sound(AudioFacts),
    /// Why the file there cannot be read.
    Unreadable(String),
    Nothing,
}

/// A sample that was looked for.
pub struct FoundSample {
    pub path: String,
    /// `None`: it is not there, or it is no audio that can be read.
    pub facts: Option<AudioFacts>,
    /// Why the file that is there cannot be read, in words without the path.
    pub fault: Option<String>,
}

impl SampleSearch {
    /// For a Set in that file, which may lie below its project's folder, as the backups that Live keeps do. Servers are
    /// asked for what lies beside it or in `allowed`, and for nothing that the Set alone names.
    pub fn around(file: &Path, allowed: &AllowedFolders) -> SampleSearch {
        let folder = std::path::absolute(file).ok().and_then(|file| file.parent().map(Path::to_owned));
        let is_backup = folder.as_ref().is_some_and(|folder| folder.ends_with("Backup"));
        let above = || folder.iter().flat_map(|folder| folder.ancestors().skip(1).take(MOST_FOLDERS_UP));
        // A backup lies one folder below its project, which need not be marked.
        let project =
            above().find(|folder| folder.join(PROJECT_MARK).is_dir()).or(above().next().filter(|_| is_backup));
        let folders: Vec<PathBuf> = folder.iter().map(PathBuf::as_path).chain(project).map(Path::to_owned).collect();
        SampleSearch { allowed: allowed.and(&folders), folders, ..SampleSearch::default() }
    }

    /// Looks at no disk: no sample is there.
    pub fn nowhere() -> SampleSearch {
        SampleSearch { is_off: true, ..SampleSearch::default() }
    }

    /// The first place where the sample is; where it is in none, the place that the file states.
    pub fn find(&mut self, sample: &SampleReference) -> FoundSample {
        let relative = Some(&sample.relative_path).filter(|path| !path.is_empty());
        let beside = relative.into_iter().flat_map(|path| self.folders.iter().map(move |folder| folder.join(path)));
        let stated = Some(PathBuf::from(&sample.path)).filter(|path| path.is_absolute());
        let places: Vec<PathBuf> = beside.chain(stated).filter(|_| !self.is_off).collect();
        let spelled = |place: &Path| spelled_as_there(place).to_string_lossy().into_owned();
        let mut unreadable = None;
        for place in places {
            match self.look(&place) {
                Look::Sound(facts) => return FoundSample { path: spelled(&place), facts: Some(facts), fault: None },
                Look::Unreadable(why) if unreadable.is_none() => {
                    unreadable = Some(FoundSample { path: spelled(&place), facts: None, fault: Some(why) });
                }
                Look::Unreadable(_) | Look::Nothing => {}
            }
        }
        let path = if sample.path.is_empty() { &sample.relative_path } else { &sample.path };
        unreadable.unwrap_or_else(|| FoundSample { path: path.clone(), facts: None, fault: None })
    }

    fn look(&mut self, place: &Path) -> Look {
        if let Some(known) = self.known.get(place) {
            return known.clone();
        }
        let asked = place.to_str().filter(|_| self.allowed.may_ask(place));
        let found = match asked.map(|path| probe(path, &ReadBudget::new(ReadLimits::CALL))) {
            Some(Ok(facts)) => Look::Sound(facts),
            // A Set must not find out what files outside the allowed folders hold.
            Some(Err(why)) if is_there(place) && is_in_real_folder(self.allowed.iter(), place) => {
                Look::Unreadable(why.to_string())
            }
            Some(Err(_)) | None => Look::Nothing,
        };
        self.known.insert(place.to_owned(), found.clone());
        found
    }
}

fn is_there(place: &Path) -> bool {
    spelled_as_there(place).is_file()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn project_folders_hold_samples() {
        let root = tempfile::tempdir().unwrap();
        let at = |path: &str| root.path().join(path);
        for folder in ["Ableton Project Info", "Songs/Old", "Samples"] {
            fs::create_dir_all(at(folder)).unwrap();
        }
        let half = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/audio/half.wav");
        fs::copy(half, at("Samples/k.wav")).unwrap();
        let sample = SampleReference { relative_path: "Samples/k.wav".to_owned(), ..SampleReference::default() };
        for set in ["s.als", "Songs/s.als", "Songs/Old/s.als"] {
            let found = SampleSearch::around(&at(set), &AllowedFolders::default()).find(&sample);
            assert!(found.facts.is_some(), "{set}");
        }
    }
}
