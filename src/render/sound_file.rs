//! Sound as a WAV or FLAC file, which is there whole or not at all.

use super::flac_writer::FlacWriter;
use super::offline::Signal;
use crate::disk::StagedFile;
use hound::{SampleFormat, WavSpec, WavWriter};
use std::fs::File;
use std::io::BufWriter;
use std::path::{Path, PathBuf};

/// What a file is, by its name's ending.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SoundFormat {
    Wav,
    Flac,
}

impl SoundFormat {
    pub const ALL: [SoundFormat; 2] = [SoundFormat::Wav, SoundFormat::Flac];

    pub fn of(path: &Path) -> Option<SoundFormat> {
        let ending = path.extension()?;
        SoundFormat::ALL.into_iter().find(|format| ending.eq_ignore_ascii_case(format.ending()))
    }

    /// `wav`, `flac`.
    pub fn ending(self) -> &'static str {
        match self {
            SoundFormat::Wav => "wav",
            SoundFormat::Flac => "flac",
        }
    }

    /// The error is a clause: which bits it has.
    pub fn takes(self, bits: Bits) -> Result<(), &'static str> {
        match (self, bits) {
            (SoundFormat::Flac, Bits::Float) => Err("FLAC has 16 or 24, not 32 (floating point); a .wav has them"),
            _ => Ok(()),
        }
    }
}

/// How a sample is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bits {
    /// With dither: half a step of triangular noise, the same each time.
    Sixteen,
    TwentyFour,
    /// As floating-point numbers, of which none is cut.
    Float,
}

impl Bits {
    /// 16, 24, or 32 for floating point.
    pub fn of_count(count: u16) -> Option<Bits> {
        match count {
            16 => Some(Bits::Sixteen),
            24 => Some(Bits::TwentyFour),
            32 => Some(Bits::Float),
            _ => None,
        }
    }

    fn count(self) -> u16 {
        match self {
            Bits::Sixteen => 16,
            Bits::TwentyFour => 24,
            Bits::Float => 32,
        }
    }
}

/// Writes a [`StagedFile`].
pub struct SoundFile {
    writer: Option<Writer>,
    bits: Bits,
    dither: Dither,
    file: StagedFile,
}

enum Writer {
    Wav(WavWriter<BufWriter<File>>),
    Flac(Box<FlacWriter>),
}

impl SoundFile {
    /// Errors are clauses without the file's name, as everywhere here.
    pub fn new(file: StagedFile, format: SoundFormat, rate_hz: u32, bits: Bits) -> Result<SoundFile, String> {
        format.takes(bits)?;
        let open = file.file().try_clone().map_err(|why| why.to_string())?;
        let writer = match format {
            SoundFormat::Wav => {
                let sample_format = if bits == Bits::Float { SampleFormat::Float } else { SampleFormat::Int };
                let bits_per_sample = bits.count();
                let spec = WavSpec { channels: 2, sample_rate: rate_hz, bits_per_sample, sample_format };
                Writer::Wav(WavWriter::new(BufWriter::new(open), spec).map_err(failed)?)
            }
            SoundFormat::Flac => Writer::Flac(Box::new(FlacWriter::new(open, rate_hz, bits.count())?)),
        };
        Ok(SoundFile { writer: Some(writer), bits, dither: Dither::default(), file })
    }

    pub fn write(&mut self, signal: Signal) -> Result<(), String> {
        let SoundFile { writer: Some(writer), bits, dither, .. } = self else { return Ok(()) };
        let both = signal.left.iter().zip(signal.right).flat_map(|(left, right)| [*left, *right]);
        let mut whole = |sample: f32| match bits {
            Bits::Sixteen => quantized(sample, 32_768.0, dither.next_step()),
            Bits::TwentyFour | Bits::Float => quantized(sample, 8_388_608.0, 0.0),
        };
        match writer {
            Writer::Flac(writer) => writer.write(both.map(whole)),
            Writer::Wav(writer) => {
                for sample in both {
                    let written = match bits {
                        Bits::Float => writer.write_sample(sample),
                        Bits::Sixteen | Bits::TwentyFour => writer.write_sample(whole(sample)),
                    };
                    written.map_err(failed)?;
                }
                Ok(())
            }
        }
    }

    /// Ends it: all of it is on the disk then, beside its name.
    pub fn close(&mut self) -> Result<(), String> {
        match self.writer.take() {
            None => Ok(()),
            Some(Writer::Flac(writer)) => writer.close(),
            Some(Writer::Wav(mut writer)) => {
                writer.flush().map_err(failed)?;
                writer.finalize().map_err(failed)
            }
        }
    }

    /// The closed file, to be put in place.
    pub fn into_staged(mut self) -> StagedFile {
        // Closed before it is moved or removed: some systems do neither with an open one.
        drop(self.writer.take());
        self.file
    }

    pub fn path(&self) -> PathBuf {
        self.file.path()
    }
}

fn failed(error: hound::Error) -> String {
    match error {
        hound::Error::IoError(error) => error.to_string(),
        hound::Error::TooWide | hound::Error::UnfinishedSample => "a sample does not fit".to_owned(),
        other => other.to_string(),
    }
}

/// `steps` are those of one half; what is louder than full scale stands at full scale, as in any file of integers.
fn quantized(sample: f32, steps: f32, noise: f32) -> i32 {
    (sample * steps + noise).round().clamp(-steps, steps - 1.0) as i32
}

/// Triangular noise of one step to each side.
#[derive(Default)]
struct Dither(u32);

impl Dither {
    fn next_step(&mut self) -> f32 {
        let mut draw = || {
            self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (self.0 >> 8) as f32 / (1 << 24) as f32
        };
        draw() - draw()
    }
}
