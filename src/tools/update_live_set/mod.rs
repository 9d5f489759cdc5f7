//! `svc-update-live-set`: tempo, meter, scale, metronome; locators.

mod locators;

use crate::music::Meter;
use crate::music::scale::{self, Scale};
use crate::object_model::{ModelError, ObjectId, Session};
use crate::tools::address::model_read::{self, number, rounded};
use crate::tools::arguments::values::{self, FASTEST_BPM, SLOWEST_BPM};
use crate::tools::call::{CallContext, arguments, prepared};
use crate::tools::error::ToolError;
use crate::tools::report::target_result::{self, add_detail};
use crate::tools::report::write_log::WriteLog;
use crate::tools::tool::{Param, ParamKind, Prepare, Tool};
use crate::tools::update_live_set::locators::{LocatorArgs, LocatorWork};
use serde::Deserialize;
use serde_json::{Value, json};

pub static TOOL: Tool = Tool {
    name: "svc-update-live-set",
    title: "Update Live Set",
    read_only: false,
    destructive: true,
    description: |_| "Sets the Set's tempo, time signature and scale; creates, renames or deletes locators.".to_owned(),
    params: &[
        Param::new("tempo", ParamKind::NumberIn(SLOWEST_BPM, FASTEST_BPM), "BPM"),
        Param::new("timeSignature", ParamKind::Text, "N/D, such as 6/8"),
        Param::new("scale", ParamKind::Text, "<Root> <Scale>, such as Gb Minor; empty switches it off"),
        Param::new("metronome", ParamKind::Boolean, "the click").hidden_in_small_model(),
        Param::new("locatorOperation", ParamKind::Choice(&["create", "delete", "rename"]), "on locators")
            .hidden_in_small_model(),
        Param::new("locatorId", ParamKind::Text, "to delete or rename").hidden_in_small_model(),
        Param::new("locatorTime", ParamKind::Text, "bar|beat in the song, comma-separated").hidden_in_small_model(),
        Param::new("locatorName", ParamKind::Text, "new name(s); to delete, alone: every locator of that name")
            .hidden_in_small_model(),
    ],
    aliases: &[],
    left_out_in_small_model: false,
    reads_files: |_| false,
    small: |_| true,
    prepare: Prepare::Alone(|map| {
        let args: Args = arguments(map)?;
        let plan = Plan::read(args)?;
        Ok(prepared(move |session, call| plan.run(session, call)))
    }),
};

#[derive(Deserialize)]
struct Args {
    tempo: Option<f64>,
    #[serde(rename = "timeSignature")]
    time_signature: Option<String>,
    scale: Option<String>,
    metronome: Option<bool>,
    #[serde(flatten)]
    locators: LocatorArgs,
}

struct Plan {
    tempo_bpm: Option<f64>,
    meter: Option<Meter>,
    /// `Some(None)` switches it off.
    scale: Option<Option<Scale>>,
    scale_as_sent: Option<String>,
    metronome: Option<bool>,
    locators: Option<LocatorWork>,
}

impl Plan {
    fn read(args: Args) -> Result<Plan, ToolError> {
        let read_scale = |text: String| match text.trim() {
            "" => Ok(None),
            text => scale::parse(text).map(Some).map_err(|e| ToolError::about("scale", e)),
        };
        let plan = Plan {
            tempo_bpm: args.tempo,
            meter: values::refuse_blank("timeSignature", args.time_signature.as_ref())?
                .map(|text| values::meter("timeSignature", text))
                .transpose()?,
            scale_as_sent: args.scale.as_deref().map(|text| text.trim().to_owned()),
            scale: args.scale.map(read_scale).transpose()?,
            metronome: args.metronome,
            locators: LocatorWork::read(args.locators)?,
        };
        if plan.has_no_values() && plan.locators.is_none() {
            return Err(ToolError::nothing_to_write("tempo, timeSignature, scale, metronome or locatorOperation"));
        }
        Ok(plan)
    }

    fn has_no_values(&self) -> bool {
        self.tempo_bpm.is_none() && self.meter.is_none() && self.scale.is_none() && self.metronome.is_none()
    }

    fn run(&self, session: &mut dyn Session, call: &mut CallContext) -> Result<Value, ToolError> {
        let song = model_read::song(session)?;
        let meter = match self.meter {
            Some(meter) => meter,
            None => model_read::meter(session, song)?,
        };
        // Read in the meter that the call leaves behind, before anything is written.
        let locators = self.locators.as_ref().map(|work| work.find(session, meter)).transpose()?;
        let mut log = WriteLog::on(session, song)?;
        let outcome = self.write(session, song, &mut log);
        if self.has_no_values() || outcome.is_ok() {
            self.report_transport_leader(session, &mut log)?;
        }
        let mut entry = log.end(outcome)?;
        if let (Some(work), Some(found)) = (&self.locators, locators) {
            let (mut entries, refusal) = work.carry_out(session, call, found, meter)?;
            if let Some(why) = refusal.filter(|_| self.has_no_values()) {
                return Err(target_result::refusal(&why));
            }
            let entry_of_locators =
                if entries.len() == 1 { entries.pop().unwrap_or_default() } else { Value::Array(entries) };
            entry.insert("locator".to_owned(), entry_of_locators);
        }
        Ok(Value::Object(entry))
    }

    fn write(&self, session: &mut dyn Session, song: ObjectId, log: &mut WriteLog) -> Result<(), ToolError> {
        if let Some(bpm) = self.tempo_bpm {
            log.record("tempo", session.set(song, "tempo", bpm.into()))?;
            let kept = number(session, song, "tempo")?;
            log.record_number("tempo", kept, bpm);
            log.entry.insert("tempo".to_owned(), rounded(kept));
        }
        if let Some(meter) = self.meter {
            let numerator = i64::from(meter.numerator());
            log.record("timeSignature", session.set(song, "signature_numerator", numerator.into()))?;
            session.set(song, "signature_denominator", i64::from(meter.denominator()).into())?;
            let kept = model_read::meter(session, song)?;
            if kept != meter {
                log.record_kept("timeSignature", kept.to_string());
            }
            log.entry.insert("timeSignature".to_owned(), json!(kept.to_string()));
        }
        match self.scale {
            Some(Some(scale)) => {
                log.record("scale", session.set(song, "scale_mode", true.into()))?;
                session.set(song, "root_note", i64::from(scale.root).into())?;
                session.set(song, "scale_name", scale.kind.name.into())?;
                let written = scale.to_string();
                if let Some(sent) = self.scale_as_sent.as_ref().filter(|sent| !written.eq_ignore_ascii_case(sent)) {
                    add_detail(&mut log.entry, format!("Live names {sent} {written}"));
                }
                log.entry.insert("scale".to_owned(), json!(written));
                log.entry.insert("scalePitches".to_owned(), json!(scale.pitch_names().join(",")));
            }
            Some(None) => {
                log.record("scale", session.set(song, "scale_mode", false.into()))?;
                log.entry.insert("scale".to_owned(), json!(""));
            }
            None => {}
        }
        if let Some(is_on) = self.metronome {
            log.record("metronome", session.set(song, "metronome", is_on.into()))?;
            let kept = model_read::flag(session, song, "metronome")?;
            log.entry.insert("metronome".to_owned(), json!(kept));
        }
        Ok(())
    }

    /// While a DAW leads, what is heard goes by its tempo and meter.
    fn report_transport_leader(&self, session: &dyn Session, log: &mut WriteLog) -> Result<(), ModelError> {
        let clock = session.clock()?;
        if !clock.led_by_daw {
            return Ok(());
        }
        let (numerator, denominator) = clock.meter;
        if self.tempo_bpm.is_some() {
            let detail = format!("the DAW leads with {} BPM; the Set keeps its tempo", rounded(clock.tempo_bpm));
            add_detail(&mut log.entry, detail);
        }
        if self.meter.is_some() {
            let detail = format!("the DAW leads in {numerator}/{denominator}; the Set keeps its time signature");
            add_detail(&mut log.entry, detail);
        }
        Ok(())
    }
}
