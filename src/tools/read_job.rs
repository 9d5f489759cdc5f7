//! `svc-read-job`: how far work is that outlasts its call, and what came of it.

use crate::tools::call::{arguments, prepared_read};
use crate::tools::error::ToolError;
use crate::tools::report::job_status;
use crate::tools::tool::{Param, ParamKind, Prepare, Tool};
use serde::Deserialize;
use serde_json::json;

pub static TOOL: Tool = Tool {
    name: "svc-read-job",
    title: "Read Job",
    read_only: true,
    destructive: false,
    description: |_| {
        "Says how far a job is, and gives its answer once it is done. Calls that take more than a second \
         answer with a job; answers are kept 10 minutes."
            .to_owned()
    },
    params: &[Param::new("id", ParamKind::Text, "a job's id; all when omitted")],
    aliases: &[],
    left_out_in_small_model: false,
    reads_files: |_| false,
    small: |_| false,
    prepare: Prepare::Seeing(|map, view| {
        let args: Args = arguments(map)?;
        let jobs = view.device.jobs.clone();
        Ok(prepared_read(
            |_, _| Ok(()),
            move |(), _| {
                let id = args.id.as_deref().map(str::trim).filter(|id| !id.is_empty());
                let Some(id) = id else {
                    let list: Vec<_> = jobs.list().iter().map(job_status::in_list).collect();
                    return Ok(json!({ "jobs": list }).into());
                };
                let status = jobs.find(id).ok_or_else(|| {
                    let id: String = id.chars().take(80).collect();
                    ToolError::not_found(format!(
                        "id: there is no job {id}; leave id out to have those of the last ten minutes listed"
                    ))
                })?;
                Ok(job_status::whole(&status).into())
            },
            |_| false,
        ))
    }),
};

#[derive(Deserialize)]
struct Args {
    id: Option<String>,
}
