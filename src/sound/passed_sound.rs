//! Sound that passes by, late by so many frames: the host's on its way through the plugin, as late as the Set's, and a
//! track's in a rendering, as late as it is in the mix.

/// Two channels of the past; of more channels the rest passes at once.
#[derive(Default)]
pub struct PassedSound {
    past: [Box<[f32]>; 2],
    next: usize,
}

impl PassedSound {
    /// Allocates all that it ever needs.
    pub fn late_by(frames: u32) -> PassedSound {
        let silent = || vec![0.0; frames as usize].into_boxed_slice();
        PassedSound { past: [silent(), silent()], next: 0 }
    }

    /// Gives each channel of a block as it was so many frames before.
    pub fn pass(&mut self, channels: &mut [&mut [f32]]) {
        let late = self.past.first().map_or(0, |past| past.len());
        if late == 0 {
            return;
        }
        let mut next = self.next;
        for (channel, past) in channels.iter_mut().zip(&mut self.past) {
            next = self.next;
            for sample in channel.iter_mut() {
                if let Some(past) = past.get_mut(next) {
                    std::mem::swap(sample, past);
                }
                next = if next + 1 < late { next + 1 } else { 0 };
            }
        }
        self.next = next;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_late_to_the_frame_whatever_the_blocks() {
        let made = |late: u32, block: usize| -> Vec<f32> {
            let mut passed = PassedSound::late_by(late);
            let mut all: Vec<f32> = (1..=200).map(|n| n as f32).collect();
            for part in all.chunks_mut(block) {
                let mut other: Vec<f32> = part.iter().map(|x| -x).collect();
                passed.pass(&mut [&mut *part, &mut other]);
                assert!(part.iter().zip(&other).all(|(left, right)| *left == -right));
            }
            all
        };
        for late in [0usize, 1, 7, 64, 199] {
            for block in [1, 17, 64, 200] {
                let meant: Vec<f32> = (1..=200).map(|n| if n > late { (n - late) as f32 } else { 0.0 }).collect();
                assert_eq!(made(late as u32, block), meant, "{late} in blocks of {block}");
            }
        }
    }
}
