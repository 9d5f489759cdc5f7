//! The clock alone, as Live's buttons Play and Stop: tracks keep what was launched on them.

use crate::music::position;
use crate::object_model::{ObjectId, Session};
use crate::tools::address::model_read::{self, number};
use crate::tools::error::ToolError;
use crate::tools::report::target_result::add_detail;
use serde_json::{Map, Value, json};

/// Starts the clock at the start marker, also while it runs: launched clips start over, other tracks follow the
/// Arrangement.
pub(super) fn start(
    session: &mut dyn Session,
    song: ObjectId,
    result: &mut Map<String, Value>,
) -> Result<(), ToolError> {
    let clock = session.clock()?;
    if clock.led_by_daw {
        add_detail(
            result,
            match clock.playing {
                true => "the DAW's transport runs already, and only the DAW can start it over",
                false => "armed: what is launched, and the arrangement elsewhere, plays when the DAW's transport does",
            },
        );
        return Ok(());
    }
    session.call(song, "start_playing", &[])?;
    let meter = model_read::meter(session, song)?;
    result.insert("startTime".to_owned(), json!(position::format(number(session, song, "start_time")?, meter)));
    Ok(())
}

/// Stops the clock. What is launched stays launched.
pub(super) fn stop(
    session: &mut dyn Session,
    song: ObjectId,
    result: &mut Map<String, Value>,
) -> Result<(), ToolError> {
    let clock = session.clock()?;
    // Stopped where it stands it would go to the beginning, and take the start marker along.
    match (clock.playing, clock.led_by_daw) {
        (true, true) => add_detail(result, "the DAW's transport runs on, as only the DAW can stop it"),
        (true, false) => drop(session.call(song, "stop_playing", &[])?),
        (false, _) => add_detail(result, "the transport stands already"),
    }
    Ok(())
}
