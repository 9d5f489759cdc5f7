//! The arguments of a call, as they were sent.

use crate::tools::arguments::one_or_each::{Levels, Switch};
use crate::tools::mixer::sends::SendArgs;
use serde::Deserialize;
use serde_json::Value;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Args {
    pub id: Option<String>,
    pub path: Option<String>,
    pub to_path: Option<String>,
    pub name: Option<String>,
    pub params: Option<Vec<Value>>,
    pub force: Option<bool>,
    pub actions: Option<Vec<String>>,
    pub preset: Option<String>,
    pub macro_variation: Option<String>,
    pub macro_variation_index: Option<i64>,
    pub macro_count: Option<i64>,
    pub ab_compare: Option<String>,
    pub mute: Option<Switch>,
    pub solo: Option<Switch>,
    pub color: Option<String>,
    pub gain_db: Option<Levels>,
    pub pan: Option<Levels>,
    #[serde(flatten)]
    pub sends: SendArgs,
    pub choke_group: Option<i64>,
    pub mapped_pitch: Option<String>,
    pub wrap_in_rack: Option<bool>,
}
