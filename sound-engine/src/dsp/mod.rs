//! Signals and nothing else: oscillators, filters, envelopes, delays, readers of samples. Knows no notes and no
//! devices.
//!
//! Results depend on the arguments alone, bit for bit: only `+ - * /`, `sqrt` and [`math`] stand in loops, `libm` where
//! things are set up. What remembers a signal has no number smaller than [`span::QUIET`] left after a tick.

pub mod delay_line;
pub mod diffuser;
pub mod envelope;
pub mod feedback_network;
pub mod filter_row;
pub mod four;
pub mod four_lanes;
pub mod four_svf;
pub mod grain_reader;
pub mod late_bus;
pub mod lfo;
pub mod math;
pub mod noise;
pub mod oscillator;
pub mod oversampler;
pub mod phase;
pub mod ramp;
pub mod sinc_reader;
pub mod smooth_filter;
pub mod span;
pub mod steep_table;
pub mod svf;
pub mod warp_map;
pub mod wavetable;
