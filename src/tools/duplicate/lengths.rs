//! How much of the timeline each copy covers.

use crate::music::LONGEST_CLIP_BEATS;
use crate::music::{Beats, Meter, SAME_POSITION_BEATS, duration};
use crate::object_model::Session;
use crate::tools::address::model_read;
use crate::tools::arguments::action_params::sent;
use crate::tools::arguments::lists::{self, ValueList};
use crate::tools::error::ToolError;

/// `arrangementLength` over the copies.
pub struct Lengths {
    values: ValueList,
    total: usize,
}

impl Lengths {
    pub fn read(text: Option<&String>, total: usize) -> Result<Option<Lengths>, ToolError> {
        let Some(values) = lists::spread("arrangementLength", text.filter(|text| sent(Some(text))), total)? else {
            return Ok(None);
        };
        let lengths = Lengths { values, total };
        // Whether it can be read is the same in every meter.
        lengths.in_meter(Meter::COMMON)?;
        Ok(Some(lengths))
    }

    fn in_meter(&self, meter: Meter) -> Result<Vec<Beats>, ToolError> {
        let read = |at| {
            let text = self.values.at(at);
            let beats = duration::parse(text, meter).map_err(|e| ToolError::about("arrangementLength", e))?;
            if beats > SAME_POSITION_BEATS && beats <= LONGEST_CLIP_BEATS {
                return Ok(beats);
            }
            Err(ToolError::about(
                "arrangementLength",
                format!(
                    "\"{text}\" is {beats} quarter beats; a clip is longer than 0 and at most {LONGEST_CLIP_BEATS}"
                ),
            ))
        };
        (0..self.total).map(read).collect()
    }

    /// In quarter beats, one for each copy.
    pub fn in_song(&self, session: &dyn Session) -> Result<Vec<Beats>, ToolError> {
        self.in_meter(model_read::meter(session, model_read::song(session)?)?)
    }
}
