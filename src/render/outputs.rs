//! The files of a rendering: begun before it, put in place together behind it, or none of them.

use super::offline::Signal;
use super::render_files::{CANCELLED, ChosenBy, RenderFiles, Unrendered, Wanted};
use super::sound_file::{SoundFile, SoundFormat};
use super::tracks::RenderedTrack;
use crate::disk::{Folder, InPlace, Replacing, StagedFile, folder_of};
use crate::music::excerpt::excerpt;
use std::io::Write;
use std::path::{Path, PathBuf};

/// What is being written. Dropped before it is in place, it leaves nothing.
pub struct Outputs {
    mix: Option<SoundFile>,
    /// With each stem's place among the tracks.
    stems: Vec<(usize, SoundFile)>,
    midi: Option<StagedFile>,
    chosen_by: ChosenBy,
    /// Behind the files: they go first.
    folder: Option<MadeFolder>,
}

impl Outputs {
    /// Begins each file, and makes the folder of stems.
    pub fn create(tracks: &[RenderedTrack], rate_hz: u32, files: &RenderFiles) -> Result<Outputs, Unrendered> {
        let format = files.format();
        let create = |wanted: Wanted, path: &Path| {
            let staged = files.chosen_by.stage(path).map_err(|why| why.to_string());
            let file = staged.and_then(|staged| SoundFile::new(staged, format, rate_hz, files.bits));
            file.map_err(|why| unwritten(wanted, path, &why))
        };
        let stem_paths = |folder: &PathBuf| -> Vec<(usize, PathBuf)> {
            let stems = tracks.iter().enumerate().filter(|(_, track)| track.is_stem);
            stems.map(|(at, track)| (at, folder.join(stem_name(at, &track.name, format)))).collect()
        };
        let stem_paths = files.stems.as_ref().map(stem_paths).unwrap_or_default();
        if let Some(mix) = &files.mix
            && stem_paths.iter().any(|(_, stem)| is_same_file(stem, mix))
        {
            let why = format!(
                "a stem has the very name of the mix, {}: write the mix under another name, or the stems into another \
                 folder",
                shown(mix)
            );
            return Err(Unrendered::about(Wanted::MixAndStems, why));
        }
        let paths = [(Wanted::Mix, &files.mix), (Wanted::Midi, &files.midi)];
        let paths = paths.into_iter().filter_map(|(wanted, path)| Some((wanted, path.as_deref()?)));
        let stem_names = stem_paths.iter().map(|(_, path)| (Wanted::Stems, path.as_path()));
        let all: Vec<(Wanted, &Path)> = paths.chain(stem_names).collect();
        if let Some((wanted, path)) = all.iter().copied().find(|(_, path)| path.is_dir()) {
            let why = match wanted {
                Wanted::Stems => "a folder has the name of a stem, NAME: write the stems into another folder",
                _ => "NAME is a folder: name a file, which may be in it",
            };
            return Err(Unrendered::about(wanted, why.replace("NAME", &shown(path))));
        }
        if let Some(stems) = files.stems.as_deref().filter(|stems| stems.is_file()) {
            let why = format!("{} is a file: stems are written into a folder", shown(stems));
            return Err(Unrendered::about(Wanted::Stems, why));
        }
        for (wanted, path) in all {
            check_replaced(&files.chosen_by, wanted, path)?;
        }
        let folder = files.stems.as_deref().map(|folder| MadeFolder::make(folder, &files.chosen_by)).transpose()?;
        let mix = files.mix.as_deref().map(|path| create(Wanted::Mix, path)).transpose()?;
        let stems = stem_paths.into_iter().map(|(at, path)| Ok((at, create(Wanted::Stems, &path)?)));
        let stems = stems.collect::<Result<_, Unrendered>>()?;
        let midi = files.midi.as_deref().map(|path| {
            // A name that cannot be is told before anything is rendered.
            files.chosen_by.stage(path).map_err(|why| unwritten(Wanted::Midi, path, &why.to_string()))
        });
        Ok(Outputs { mix, stems, midi: midi.transpose()?, chosen_by: files.chosen_by.clone(), folder })
    }

    pub fn write_mix(&mut self, signal: Signal) -> Result<(), Unrendered> {
        let Some(mix) = &mut self.mix else { return Ok(()) };
        mix.write(signal).map_err(|why| unwritten(Wanted::Mix, &mix.path(), &why))
    }

    /// Of a track, by its place among the tracks.
    pub fn write_stem(&mut self, at: usize, signal: Signal) -> Result<(), Unrendered> {
        let Some((_, stem)) = self.stems.iter_mut().find(|(stem, _)| *stem == at) else { return Ok(()) };
        stem.write(signal).map_err(|why| unwritten(Wanted::Stems, &stem.path(), &why))
    }

    pub fn keep_stems(&mut self, is_kept: impl Fn(usize) -> bool) {
        self.stems.retain(|(at, _)| is_kept(*at));
    }

    pub fn stem_files(&self) -> Vec<PathBuf> {
        self.stems.iter().map(|(_, file)| file.path()).collect()
    }

    pub fn write_midi(&self, bytes: impl FnOnce() -> Vec<u8>) -> Result<(), Unrendered> {
        let Some(file) = &self.midi else { return Ok(()) };
        let written = file.file().write_all(&bytes());
        written.map_err(|why| unwritten(Wanted::Midi, &file.path(), &why.to_string()))
    }

    /// All files, once all of them are whole and `commit` agrees; where one cannot be, those before it are taken back.
    pub fn put_in_place(mut self, commit: impl FnOnce() -> bool) -> Result<(), Unrendered> {
        let stems = std::mem::take(&mut self.stems).into_iter().map(|(_, file)| (Wanted::Stems, file));
        let mut files: Vec<(Wanted, SoundFile)> =
            stems.chain(self.mix.take().map(|file| (Wanted::Mix, file))).collect();
        for (wanted, file) in &mut files {
            file.close().map_err(|why| unwritten(*wanted, &file.path(), &why))?;
        }
        if !commit() {
            return Err(CANCELLED.to_owned().into());
        }
        let staged = files.into_iter().map(|(wanted, file)| (wanted, file.into_staged()));
        let staged = staged.chain(self.midi.take().map(|file| (Wanted::Midi, file)));
        let mut in_place: Vec<InPlace> = Vec::new();
        for (wanted, file) in staged {
            let name = shown(&file.path());
            // What came there meanwhile is somebody else's.
            let replacing = check_replaced(&self.chosen_by, wanted, &file.path())?;
            let put = file.put_for_now(replacing);
            let put = put.map_err(|why| Unrendered::about(wanted, format!("{name} could not be put in place: {why}")));
            in_place.push(put?);
        }
        for file in in_place {
            let path = file.path();
            if let Ok(file) = file.keep() {
                self.chosen_by.note(&path, &file);
            }
        }
        if let Some(folder) = self.folder {
            folder.keep();
        }
        Ok(())
    }
}

/// A folder, with those above it that were missing; dropped before it is kept, what was made goes, unless somebody put
/// something there.
struct MadeFolder {
    /// The deepest first.
    made: Vec<PathBuf>,
}

impl MadeFolder {
    fn make(folder: &Path, chosen_by: &ChosenBy) -> Result<MadeFolder, Unrendered> {
        let missing = folder.ancestors().take_while(|above| !above.as_os_str().is_empty() && !above.exists());
        let made = MadeFolder { made: missing.map(Path::to_owned).collect() };
        let failed = |why: std::io::Error| {
            Unrendered::about(Wanted::Stems, format!("the folder {} is not made: {why}", shown(folder)))
        };
        match (chosen_by, folder.file_name()) {
            (ChosenBy::Call { .. }, Some(name)) => {
                let above = Folder::open_real(folder_of(folder)).map_err(failed)?;
                let is_there = |why: &std::io::Error| why.kind() == std::io::ErrorKind::AlreadyExists;
                above.make_folder(name).or_else(|why| if is_there(&why) { Ok(()) } else { Err(failed(why)) })?;
            }
            _ => std::fs::create_dir_all(folder).map_err(failed)?,
        }
        Ok(made)
    }

    fn keep(mut self) {
        self.made.clear();
    }
}

impl Drop for MadeFolder {
    fn drop(&mut self) {
        for folder in &self.made {
            let _ = std::fs::remove_dir(folder);
        }
    }
}

/// What may be replaced there.
fn check_replaced(chosen_by: &ChosenBy, wanted: Wanted, path: &Path) -> Result<Replacing, Unrendered> {
    chosen_by.replacing(path).map_err(|why| Unrendered::about(wanted, format!("{} {why}", excerpt(&shown(path)))))
}

/// Whether both name one file, which need not be there.
fn is_same_file(one: &Path, other: &Path) -> bool {
    let folder = |path: &Path| {
        let whole = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        let folder = whole.parent().unwrap_or(&whole).to_owned();
        folder.canonicalize().unwrap_or(folder)
    };
    let names = (one.file_name().unwrap_or_default(), other.file_name().unwrap_or_default());
    // Elsewhere names are the same in any case.
    let is_one_name = names.0 == names.1 || !cfg!(target_os = "linux") && names.0.eq_ignore_ascii_case(names.1);
    is_one_name && folder(one) == folder(other)
}

fn unwritten(wanted: Wanted, path: &Path, why: &str) -> Unrendered {
    Unrendered::about(wanted, format!("{} could not be written: {why}", excerpt(&shown(path))))
}

/// The file's own name: folders are the user's.
fn shown(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// `03 Bass.wav`: in the Set's order, with what file names may hold.
fn stem_name(at: usize, name: &str, format: SoundFormat) -> String {
    let plain = |c: char| if c.is_alphanumeric() || " -_()#&+.,".contains(c) { c } else { '_' };
    let name: String = name.chars().take(60).map(plain).collect();
    format!("{:02} {}.{}", at + 1, name.trim().trim_end_matches('.'), format.ending())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::sound_file::Bits;
    use crate::set::document::TrackKind;

    /// Where one file cannot be put in place, those before it are as they were: not there, or what lay there.
    #[test]
    fn files_are_put_in_place_together_or_not_at_all() {
        let folder = tempfile::tempdir().expect("a folder");
        let (mix, stems) = (folder.path().join("mix.wav"), folder.path().join("stems"));
        let files = RenderFiles {
            chosen_by: ChosenBy::Hand,
            mix: Some(mix.clone()),
            midi: None,
            stems: Some(stems.clone()),
            bits: Bits::Sixteen,
            loudness: None,
        };
        let drums = RenderedTrack {
            serial: 1,
            path: "t0".to_owned(),
            name: "Drums".to_owned(),
            kind: TrackKind::Midi,
            plays: true,
            gives_notes_away: false,
            is_kit: true,
            is_stem: true,
        };
        for lay_there in [None, Some("what lay there")] {
            let stem = stems.join("01 Drums.wav");
            if let Some(text) = lay_there {
                std::fs::create_dir(&stems).expect("a folder");
                std::fs::write(&stem, text).expect("a file");
            }
            let outputs = Outputs::create(std::slice::from_ref(&drums), 48_000, &files).expect("outputs");
            // A folder comes into the mix's place while it is rendered; stems are put in place before.
            std::fs::create_dir(&mix).expect("a folder");
            let why = outputs.put_in_place(|| true).expect_err("a folder in its place");
            assert!(why.about == Some(Wanted::Mix) && why.why.contains("mix.wav could not be put in place"), "{why:?}");
            let left = std::fs::read_to_string(&stem).ok();
            assert_eq!((left.as_deref(), stems.exists()), (lay_there, lay_there.is_some()));
            std::fs::remove_dir(&mix).expect("the folder");
            let count = std::fs::read_dir(folder.path()).expect("the folder").count();
            assert_eq!(count, usize::from(lay_there.is_some()), "nothing else is left");
        }
    }
}
