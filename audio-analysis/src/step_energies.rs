//! The power of a sound as ears weigh it, step after step of 100 ms (ITU-R BS.1770): what every loudness is made of. It
//! is found once for each frame, whatever is made of it.

/// Steps that are kept: of the last three seconds.
const KEPT: usize = 30;
/// Steps of a moment.
const MOMENT: usize = 4;
/// What is remembered of a sound that is over goes to zero here, long before it would be a subnormal number.
const QUIET: f64 = 1e-30;

/// The energies of the last steps of a signal that comes in pieces.
pub struct StepEnergies {
    /// The filter by which ears weigh: what comes in, and what it remembers of itself.
    forward: [f64; 5],
    back: [f64; 4],
    /// Of both channels, the newest first.
    memory: [[f64; 2]; 4],
    /// Frames of a step, and how many of this one there are.
    step: usize,
    done: usize,
    /// Of this step as far as it came, and of those before it, the newest first.
    energy: f64,
    steps: [f64; KEPT],
    count: u64,
    /// Of each frame of the last moment, and where the next one goes.
    frames: Vec<f64>,
    next: usize,
}

impl StepEnergies {
    pub fn new(rate_hz: u32) -> StepEnergies {
        let step = ((rate_hz as usize + 5) / 10).max(1);
        let (forward, back) = weighting(rate_hz.into());
        StepEnergies {
            forward,
            back,
            memory: [[0.0; 2]; 4],
            step,
            done: 0,
            energy: 0.0,
            steps: [0.0; KEPT],
            count: 0,
            frames: vec![0.0; MOMENT * step],
            next: 0,
        }
    }

    /// The next piece; both channels have the same length. Each time that a step is whole, `visit` may look.
    pub fn push(&mut self, left: &[f32], right: &[f32], mut visit: impl FnMut(&StepEnergies)) {
        let (mut left, mut right) = (left, right);
        while !left.is_empty() && !right.is_empty() {
            let frames = (self.step - self.done).min(left.len()).min(right.len());
            let ((left_now, left_later), (right_now, right_later)) = (left.split_at(frames), right.split_at(frames));
            self.hear(left_now, right_now);
            self.done += frames;
            if self.done == self.step {
                self.end_step();
                visit(self);
            }
            (left, right) = (left_later, right_later);
        }
    }

    fn hear(&mut self, left: &[f32], right: &[f32]) {
        let end = self.next + left.len();
        let Some(places) = self.frames.get_mut(self.next..end) else { return };
        self.next = if end == MOMENT * self.step { 0 } else { end };
        // Most tracks are silent for much of a song.
        let is_silent = self.memory == [[0.0; 2]; 4] && left.iter().chain(right).all(|sample| *sample == 0.0);
        if is_silent {
            places.fill(0.0);
            return;
        }
        let ([b0, b1, b2, b3, b4], [a1, a2, a3, a4]) = (self.forward, self.back);
        let [mut s1, mut s2, mut s3, mut s4] = self.memory;
        let mut energy = self.energy;
        for ((left, right), place) in left.iter().zip(right).zip(places) {
            let heard = [f64::from(*left), f64::from(*right)];
            // What was made last comes last: all else does not have to wait for it.
            let s0: [f64; 2] =
                std::array::from_fn(|at| heard[at] - a4 * s4[at] - a3 * s3[at] - a2 * s2[at] - a1 * s1[at]);
            let weighed: [f64; 2] =
                std::array::from_fn(|at| b4 * s4[at] + b3 * s3[at] + b2 * s2[at] + b1 * s1[at] + b0 * s0[at]);
            let [left, right] = weighed;
            *place = left * left + right * right;
            energy += *place;
            (s4, s3, s2, s1) = (s3, s2, s1, s0);
        }
        self.energy = energy;
        self.memory = [s1, s2, s3, s4];
    }

    fn end_step(&mut self) {
        self.steps.rotate_right(1);
        if let Some(newest) = self.steps.first_mut() {
            *newest = self.energy;
        }
        (self.done, self.energy) = (0, 0.0);
        self.count += 1;
        for value in self.memory.as_flattened_mut() {
            *value = if value.abs() < QUIET { 0.0 } else { *value };
        }
    }

    /// Whole steps that there were.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// The mean of both channels' power together over the last 0.4 s that are whole; what was before is silence.
    pub fn moment(&self) -> f64 {
        self.mean(MOMENT)
    }

    /// As [`StepEnergies::moment`], of three seconds.
    pub fn short_term(&self) -> f64 {
        self.mean(KEPT)
    }

    fn mean(&self, steps: usize) -> f64 {
        self.steps.iter().take(steps).sum::<f64>() / (steps * self.step) as f64
    }

    /// Of the very last 0.4 s, whole or not.
    pub fn last_moment(&self) -> f64 {
        self.frames.iter().sum::<f64>() / self.frames.len() as f64
    }
}

/// Both filters of the standard, given for 48 kHz, at any rate and as one: forward, and back without the first.
fn weighting(rate_hz: f64) -> ([f64; 5], [f64; 4]) {
    let k = (std::f64::consts::PI * 1_681.974_450_955_533 / rate_hz).tan();
    let (q, high) = (0.707_175_236_955_419_6, 10.0_f64.powf(3.999_843_853_973_347 / 20.0));
    let band = high.powf(0.499_666_774_154_541_6);
    let whole = 1.0 + k / q + k * k;
    let head =
        [(high + band * k / q + k * k) / whole, 2.0 * (k * k - high) / whole, (high - band * k / q + k * k) / whole];
    let head_back = [2.0 * (k * k - 1.0) / whole, (1.0 - k / q + k * k) / whole];
    let k = (std::f64::consts::PI * 38.135_470_876_024_44 / rate_hz).tan();
    let q = 0.500_327_037_323_877_3;
    let whole = 1.0 + k / q + k * k;
    let low_back = [2.0 * (k * k - 1.0) / whole, (1.0 - k / q + k * k) / whole];
    let ([h0, h1, h2], [a1, a2], [c1, c2]) = (head, head_back, low_back);
    // The second has 1, -2 and 1 forward.
    let forward = [h0, h1 - 2.0 * h0, h2 - 2.0 * h1 + h0, h1 - 2.0 * h2, h2];
    (forward, [a1 + c1, a2 + a1 * c1 + c2, a2 * c1 + a1 * c2, a2 * c2])
}
