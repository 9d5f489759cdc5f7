//! Renders for tools: with the samples that the device has loaded for its own sound, or loads.

use crate::object_model::host_values::SetVersion;
use crate::paths::AllowedFolders;
use crate::render::faithfulness::Faithfulness;
use crate::render::listened::{picture, told};
use crate::render::offline::{BLOCK_FRAMES, RenderSettings, Tail};
use crate::render::render_files::{ChosenBy, Loudness, RenderFiles, Wanted};
use crate::render::rendered::{Progress, RATES_HZ, render};
use crate::render::sound_file::Bits;
use crate::render::wish::{Asked, Unfit, Wish};
use crate::set::Document;
use crate::sound::samples::SampleCache;
use crate::tools::request::{FileWork, NotRendered, RenderOrder, Renderer};
use crate::transfers::Transfers;
use crate::user_store::WrittenFiles;
use serde_json::{Map, Value, json};
use std::path::PathBuf;
use std::sync::Arc;

/// Of a tail that is asked for.
const LONGEST_TAIL_S: f64 = 600.0;

/// See the [module](self).
pub struct SetRenderer {
    pub samples: Arc<SampleCache>,
    /// Told of what is written, as it may be meant for a browser.
    pub transfers: Option<Arc<Transfers>>,
    /// What calls may replace.
    pub written: Arc<WrittenFiles>,
}

impl Renderer for SetRenderer {
    fn render(
        &self,
        set: &SetVersion,
        order: &RenderOrder,
        folders: &AllowedFolders,
        work: &dyn FileWork,
    ) -> Result<Map<String, Value>, NotRendered> {
        let why = |why: &str| NotRendered { parameter: None, why: why.to_owned() };
        let document = set.0.downcast_ref::<Document>().ok_or_else(|| why("the Set is in another program"))?;
        let (wish, files, rate_hz) = (wish(order), self.files(order)?, rate_hz(order)?);
        let stretch = wish.stretch(document).map_err(|unfit| parameter_of(unfit, order))?;
        self.load_samples(document, folders, work);
        let sounds = Faithfulness::of(document, &self.samples);
        if order.strict {
            refuse_otherwise(&sounds, &stretch)?;
        }
        let settings = RenderSettings {
            stretch,
            rate_hz,
            seed: order.seed,
            tail: order.tail_seconds.map_or(Tail::UntilSilent, Tail::Seconds),
            block_frames: BLOCK_FRAMES,
        };
        let rendered = render(document, &self.samples, &settings, &files, &Followed(work));
        let rendered =
            rendered.map_err(|failed| NotRendered { parameter: failed.about.map(parameter), why: failed.why })?;
        if let (Some(transfers), Some(file)) = (&self.transfers, &order.file) {
            transfers.wrote(file);
        }
        let mut answer = Map::new();
        answer.extend(order.file.iter().map(|file| ("file".to_owned(), json!(file))));
        if !rendered.stem_files.is_empty() {
            answer.insert("stems".to_owned(), json!(rendered.stem_files));
        }
        answer.extend(told(document, &stretch, &rendered, &sounds));
        if order.image {
            let drawn = picture(document, &stretch, &rendered, rate_hz).data_url();
            answer.insert(crate::picture::IMAGE_FIELD.to_owned(), json!(drawn.map_err(|e| why(&e.to_string()))?));
        }
        Ok(answer)
    }
}

impl SetRenderer {
    fn files(&self, order: &RenderOrder) -> Result<RenderFiles, NotRendered> {
        files(order, ChosenBy::Call { written: self.written.clone(), overwrites: order.overwrites })
    }

    fn load_samples(&self, document: &Document, folders: &AllowedFolders, work: &dyn FileWork) {
        for wanted in self.samples.wanted(document, folders) {
            self.samples.load(&wanted, folders, &|| work.is_cancelled());
        }
    }
}

/// Progress, as a job tells of it.
struct Followed<'a>(&'a dyn FileWork);

impl Progress for Followed<'_> {
    fn report(&self, done: u64, total: u64) {
        self.0.report(done, total);
    }

    fn is_cancelled(&self) -> bool {
        self.0.is_cancelled()
    }

    fn commit(&self) -> bool {
        self.0.commit()
    }
}

fn wish(order: &RenderOrder) -> Wish {
    Wish { scene: order.scene.clone(), from: order.start.clone(), to: None, length: order.length.clone(), bars: None }
}

fn files(order: &RenderOrder, chosen_by: ChosenBy) -> Result<RenderFiles, NotRendered> {
    if let Some(tail) = order.tail_seconds.filter(|tail| !(0.0..=LONGEST_TAIL_S).contains(tail)) {
        return Err(about("tail", format!("it is from 0 to {LONGEST_TAIL_S} seconds, not {tail}")));
    }
    let bits = u16::try_from(order.bits).ok().and_then(Bits::of_count);
    let bits = bits.ok_or_else(|| about("bits", format!("it is 16, 24 or 32 (floating point), not {}", order.bits)))?;
    let loudness = order.normalize.as_deref().map(Loudness::parse).transpose();
    let loudness = loudness.map_err(|why| about("normalize", format!("it is {why}")))?;
    let is_midi = |file: &PathBuf| file.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("mid"));
    let (midi, mix) = order.file.clone().into_iter().partition::<Vec<_>, _>(is_midi);
    let (midi, mix) = (midi.into_iter().next(), mix.into_iter().next());
    let files = RenderFiles { chosen_by, mix, midi, stems: order.stems.clone(), bits, loudness };
    files.format().takes(bits).map_err(|why| about("bits", why.to_owned()))?;
    Ok(files)
}

fn refuse_otherwise(sounds: &Faithfulness, stretch: &crate::render::stretch::Stretch) -> Result<(), NotRendered> {
    let otherwise = sounds.otherwise(stretch);
    if otherwise.is_empty() {
        return Ok(());
    }
    let list: Vec<String> = otherwise.iter().map(|(name, sounds)| format!("{name} ({sounds})")).collect();
    Err(about("strict", format!("these do not sound as the Set says: {}", list.join(", "))))
}

fn about(parameter: &'static str, why: String) -> NotRendered {
    NotRendered { parameter: Some(parameter), why }
}

fn rate_hz(order: &RenderOrder) -> Result<u32, NotRendered> {
    let known = RATES_HZ.into_iter().find(|rate| i64::from(*rate) == order.rate_hz);
    known.ok_or_else(|| {
        let rates = RATES_HZ.map(|rate| rate.to_string()).join(", ");
        about("rate", format!("it is one of {rates}, not {}", order.rate_hz))
    })
}

fn parameter(wanted: Wanted) -> &'static str {
    match wanted {
        Wanted::Mix | Wanted::Midi => "file",
        Wanted::Stems => "stems",
        Wanted::MixAndStems => "file, stems",
        Wanted::Loudness => "normalize",
    }
}

/// A length that was not asked for cannot be wrong.
fn parameter_of(unfit: Unfit, order: &RenderOrder) -> NotRendered {
    let parameter = match unfit.asked {
        Asked::Scene => "path",
        Asked::From => "start",
        Asked::To | Asked::Length if order.length.is_none() => "start",
        Asked::To | Asked::Length => "length",
    };
    about(parameter, unfit.why)
}
