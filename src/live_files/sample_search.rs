//! Where the samples that a Set names are: beside it in its project's folder, or where they were when it was saved.

use crate::files::audio::probe;
use crate::files::read_budget::{ReadBudget, ReadLimits};
use crate::files::spellings::spelled_as_there;
use crate::object_model::audio::AudioFacts;
use crate::paths::AllowedFolders;
use std::collections::HashMap;
use std::path::{Path, PathBuf};

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
    known: HashMap<PathBuf, Option<AudioFacts>>,
    is_off: bool,
}

/// A sample that was looked for.
pub struct FoundSample {
    pub path: String,
    /// `None`: it is not there, or it is no audio that can be read.
    pub facts: Option<AudioFacts>,
}

impl SampleSearch {
    /// For a Set in that file. A Set that Live kept as a backup lies below its project's folder. Servers are asked for
    /// what lies beside it or in `allowed`, and for nothing that the Set alone names.
    pub fn around(file: &Path, allowed: &AllowedFolders) -> SampleSearch {
        let folder = std::path::absolute(file).ok().and_then(|file| file.parent().map(Path::to_owned));
        let above = folder.iter().filter(|folder| folder.ends_with("Backup")).filter_map(|folder| folder.parent());
        let folders: Vec<PathBuf> = folder.iter().map(PathBuf::as_path).chain(above).map(Path::to_owned).collect();
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
        for place in places {
            if let Some(facts) = self.look(&place) {
                let place = spelled_as_there(&place);
                return FoundSample { path: place.to_string_lossy().into_owned(), facts: Some(facts) };
            }
        }
        let path = if sample.path.is_empty() { &sample.relative_path } else { &sample.path };
        FoundSample { path: path.clone(), facts: None }
    }

    fn look(&mut self, place: &Path) -> Option<AudioFacts> {
        if let Some(known) = self.known.get(place) {
            return *known;
        }
        let asked = place.to_str().filter(|_| self.allowed.may_ask(place));
        let found = asked.and_then(|path| probe(path, &ReadBudget::new(ReadLimits::CALL)).ok());
        self.known.insert(place.to_owned(), found);
        found
    }
}
