//! The kits: which key of the General MIDI map is which hit, in three variants.

use super::drum_voice::DrumSound;
use crate::dsp::svf::Response;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DrumKit {
    #[default]
    Standard,
    /// Long low kicks, soft snares, as the TR-808.
    Analog808,
    /// Hard kicks and snares, as the TR-909.
    Analog909,
    /// The kick on every key: for a track that is named so.
    KickOnly,
}

impl DrumKit {
    /// Brings each kit to the level of the other default sounds.
    fn level(&self) -> f32 {
        match self {
            DrumKit::Standard => 0.668,
            DrumKit::Analog808 => 0.695,
            DrumKit::Analog909 => 0.528,
            DrumKit::KickOnly => 0.668,
        }
    }

    /// The hit of a key, and the factor of its frequencies. Keys off the map have the one they are nearest in kind to.
    pub(super) fn sound(&self, pitch: u8) -> (DrumSound, f32) {
        let level = self.level();
        let tuned = |sound: DrumSound, semitones: f32| {
            (DrumSound { level: sound.level * level, ..sound }, crate::dsp::math::exp2(semitones / 12.0))
        };
        let kick = self.kick();
        if *self == DrumKit::KickOnly {
            return tuned(kick, 0.0);
        }
        match pitch {
            35 => tuned(kick, -2.0),
            0..=34 | 36 => tuned(kick, 0.0),
            37 => tuned(RIM, 0.0),
            38 => tuned(self.snare(), 0.0),
            39 => tuned(CLAP, 0.0),
            40 => tuned(self.snare(), 2.0),
            42 => tuned(self.closed_hat(), 0.0),
            44 => tuned(self.closed_hat(), -1.0),
            46 => tuned(self.open_hat(), 0.0),
            41 | 43 | 45 | 47 | 48 | 50 => tuned(TOM, f32::from(pitch) * 1.3 - 60.0),
            49 | 52 | 55 | 57 => tuned(CRASH, f32::from(pitch % 5) - 2.0),
            51 | 53 | 59 => tuned(RIDE, if pitch == 53 { 5.0 } else { 0.0 }),
            54 | 69 | 70 | 82 => tuned(SHAKER, 0.0),
            56 => tuned(COWBELL, 0.0),
            60..=66 => tuned(CONGA, 4.0 * (62.0 - f32::from(pitch))),
            67 | 68 | 80 | 81 => tuned(COWBELL, 5.0),
            71..=79 => tuned(CLAVE, f32::from(pitch) - 75.0),
            58 => tuned(SHAKER, -7.0),
            83.. => tuned(SHAKER, 5.0),
        }
    }

    fn kick(&self) -> DrumSound {
        match self {
            DrumKit::Analog808 => DrumSound {
                tone_hz: 46.0,
                tone_decay_ms: 1_100.0,
                sweep: 2.6,
                sweep_ms: 60.0,
                noise_level: 1.8,
                noise_hz: 2_000.0,
                noise_decay_ms: 38.0,
                drive: 1.6,
                level: 0.74,
                ..KICK
            },
            DrumKit::Analog909 => DrumSound {
                sweep: 7.5,
                sweep_ms: 90.0,
                noise_level: 1.6,
                noise_hz: 3_000.0,
                noise_decay_ms: 30.0,
                drive: 1.7,
                ..KICK
            },
            _ => KICK,
        }
    }

    fn snare(&self) -> DrumSound {
        match self {
            DrumKit::Analog808 => {
                DrumSound { tone_hz: 168.0, noise_hz: 4_200.0, noise_decay_ms: 190.0, level: 1.0, ..SNARE }
            }
            DrumKit::Analog909 => {
                DrumSound { noise_level: 1.5, noise_decay_ms: 340.0, drive: 1.4, level: 0.95, ..SNARE }
            }
            _ => SNARE,
        }
    }

    fn closed_hat(&self) -> DrumSound {
        match self {
            DrumKit::Analog808 => DrumSound { noise_level: 0.1, metal_level: 0.62, ..HAT },
            DrumKit::Analog909 => DrumSound { metal_highpass_hz: 8_800.0, noise_level: 0.5, ..HAT },
            _ => HAT,
        }
    }

    fn open_hat(&self) -> DrumSound {
        let closed = self.closed_hat();
        DrumSound { metal_decay_ms: 620.0, noise_decay_ms: 500.0, level: 0.75 * closed.level, ..closed }
    }
}

const KICK: DrumSound = DrumSound {
    tone_hz: 52.0,
    tone_level: 1.0,
    tone_decay_ms: 420.0,
    sweep: 5.0,
    sweep_ms: 75.0,
    // The beater: what a small loudspeaker plays of it.
    noise_level: 1.4,
    noise_response: Response::Bandpass,
    noise_hz: 2_600.0,
    noise_q: 0.5,
    noise_decay_ms: 34.0,
    drive: 1.4,
    level: 0.95,
    ..DrumSound::SILENT
};

const SNARE: DrumSound = DrumSound {
    tone_hz: 187.0,
    tone_level: 0.55,
    tone_decay_ms: 160.0,
    sweep: 1.5,
    sweep_ms: 25.0,
    overtone: 1.79,
    overtone_level: 0.3,
    noise_level: 1.2,
    noise_response: Response::Bandpass,
    noise_hz: 2_700.0,
    noise_q: 0.45,
    noise_decay_ms: 260.0,
    drive: 0.9,
    level: 1.14,
    ..DrumSound::SILENT
};

const HAT: DrumSound = DrumSound {
    noise_level: 0.28,
    noise_hz: 9_000.0,
    noise_decay_ms: 125.0,
    metal_level: 0.5,
    metal_hz: 415.0,
    metal_highpass_hz: 7_500.0,
    metal_decay_ms: 140.0,
    level: 1.38,
    pan: 0.18,
    choke: 1,
    ..DrumSound::SILENT
};

const CLAP: DrumSound = DrumSound {
    noise_level: 1.6,
    noise_response: Response::Bandpass,
    noise_hz: 1_250.0,
    noise_q: 1.3,
    noise_decay_ms: 240.0,
    bursts: 3,
    level: 1.25,
    ..DrumSound::SILENT
};

const RIM: DrumSound = DrumSound {
    tone_hz: 480.0,
    tone_level: 0.7,
    tone_decay_ms: 35.0,
    overtone: 3.61,
    overtone_level: 0.6,
    noise_level: 0.3,
    noise_hz: 3_000.0,
    noise_decay_ms: 12.0,
    level: 1.0,
    ..DrumSound::SILENT
};

const TOM: DrumSound = DrumSound {
    tone_hz: 120.0,
    tone_level: 0.9,
    tone_decay_ms: 420.0,
    sweep: 1.9,
    sweep_ms: 90.0,
    noise_level: 0.15,
    noise_response: Response::Lowpass,
    noise_hz: 2_000.0,
    noise_decay_ms: 40.0,
    level: 0.95,
    ..DrumSound::SILENT
};

const CRASH: DrumSound = DrumSound {
    noise_level: 0.45,
    noise_hz: 5_500.0,
    noise_decay_ms: 1_500.0,
    metal_level: 0.4,
    metal_hz: 520.0,
    metal_highpass_hz: 4_500.0,
    metal_decay_ms: 1_900.0,
    level: 0.6,
    pan: -0.25,
    ..DrumSound::SILENT
};

const RIDE: DrumSound = DrumSound {
    tone_hz: 3_120.0,
    tone_level: 0.12,
    tone_decay_ms: 500.0,
    noise_level: 0.12,
    noise_hz: 8_000.0,
    noise_decay_ms: 300.0,
    metal_level: 0.32,
    metal_hz: 560.0,
    metal_highpass_hz: 6_000.0,
    metal_decay_ms: 1_100.0,
    level: 0.5,
    pan: 0.3,
    ..DrumSound::SILENT
};

const COWBELL: DrumSound = DrumSound {
    tone_hz: 562.0,
    tone_level: 0.5,
    tone_decay_ms: 260.0,
    overtone: 1.504,
    overtone_level: 0.55,
    drive: 1.6,
    level: 0.75,
    ..DrumSound::SILENT
};

const CONGA: DrumSound = DrumSound {
    tone_hz: 210.0,
    tone_level: 0.8,
    tone_decay_ms: 220.0,
    sweep: 1.25,
    sweep_ms: 20.0,
    noise_level: 0.2,
    noise_hz: 2_500.0,
    noise_decay_ms: 18.0,
    level: 0.65,
    pan: -0.15,
    ..DrumSound::SILENT
};

const CLAVE: DrumSound =
    DrumSound { tone_hz: 2_480.0, tone_level: 0.7, tone_decay_ms: 60.0, level: 0.5, ..DrumSound::SILENT };

const SHAKER: DrumSound = DrumSound {
    noise_level: 0.6,
    noise_response: Response::Bandpass,
    noise_hz: 7_800.0,
    noise_q: 1.1,
    noise_decay_ms: 110.0,
    level: 1.5,
    pan: -0.2,
    ..DrumSound::SILENT
};
