//! What a clip or a scene leads to.

use super::error::ReadError;
use super::walk::Walk;
use super::xml_reader::Element;
use crate::music::{Beats, LONGEST_CLIP_BEATS};
use crate::set::document::{FollowAction, FollowChoice};

/// Up to Live 10 chances count up to this; from Live 11 on they are percent.
const MOST_CHANCE: i64 = 999;
const MOST_PASSES: i64 = 1_000_000;

/// A follow action as it stands in the file: in an element of its own from Live 11 on, before in the clip.
#[derive(Default)]
pub struct FollowParts {
    time: Option<Beats>,
    linked: bool,
    passes: Option<i64>,
    choices: [FollowChoice; 2],
    /// Live 11 has a switch; before, an action with a chance is on.
    on: Option<bool>,
}

impl FollowParts {
    /// Reads a part; `false` for an element that is none.
    pub fn read(&mut self, walk: &mut Walk, child: &Element) -> Result<bool, ReadError> {
        let [first, second] = &mut self.choices;
        match child.name() {
            "FollowTime" => self.time = Some(walk.number(child, 0.0..=LONGEST_CLIP_BEATS)?),
            "IsLinked" => self.linked = walk.boolean(child)?,
            "LoopIterations" => self.passes = Some(walk.whole(child, 0..=MOST_PASSES)?),
            "FollowActionA" => first.action = walk.small(child, u8::MAX)?,
            "FollowActionB" => second.action = walk.small(child, u8::MAX)?,
            "FollowChanceA" => first.chance = chance(walk, child)?,
            "FollowChanceB" => second.chance = chance(walk, child)?,
            "JumpIndexA" => first.jump_to = jump(walk, child)?,
            "JumpIndexB" => second.jump_to = jump(walk, child)?,
            "FollowActionEnabled" => self.on = Some(walk.boolean(child)?),
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// The whole, where it is on and leads anywhere.
    pub fn finish(self) -> Option<FollowAction> {
        let leads = self.choices.iter().any(|choice| choice.action > 0 && choice.chance > 0);
        let FollowParts { time, linked, passes, mut choices, on } = self;
        for choice in &mut choices {
            choice.jump_to = choice.jump_to.filter(|_| FollowAction::action_name(choice.action) == Some("Jump"));
        }
        let passes = passes.and_then(|passes| u32::try_from(passes).ok()).unwrap_or(1);
        (leads && on != Some(false)).then(|| FollowAction { time: time.unwrap_or(4.0), linked, passes, choices })
    }
}

fn chance(walk: &mut Walk, element: &Element) -> Result<u32, ReadError> {
    Ok(u32::try_from(walk.whole(element, 0..=MOST_CHANCE)?).unwrap_or_default())
}

fn jump(walk: &mut Walk, element: &Element) -> Result<Option<u32>, ReadError> {
    Ok(u32::try_from(walk.whole(element, 0..=i64::from(u32::MAX))?).ok())
}

/// Reads `FollowAction`.
pub fn read_follow_action(walk: &mut Walk, element: &Element) -> Result<Option<FollowAction>, ReadError> {
    let mut parts = FollowParts { on: Some(false), ..FollowParts::default() };
    while let Some(child) = walk.next_child(element)? {
        if !parts.read(walk, &child)? {
            walk.report.count_unknown("FollowAction", child.name());
        }
    }
    Ok(parts.finish())
}
