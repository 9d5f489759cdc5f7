//! `svc-device live check`: what only a person with Live can see, step by step.
//!
//! Each step calls tools of the running device as any client does, says what it saw, and asks where somebody has to
//! look. What it makes it takes away again by undo. It ends with a report to send.

mod person;
mod report;
mod steps;
mod walk;

use crate::arguments::Options;
use crate::console::print;
use crate::device_client::DeviceClient;
use person::{Answer, Person};
use report::{Outcome, Report};
use std::process::ExitCode;
use steps::{STEPS, Step};
use walk::Walk;

/// Goes through all steps; the exit code is 0 when each was right.
pub fn run(client: &DeviceClient, options: &Options) -> ExitCode {
    let person = Person::new(options.yes);
    print(
        "This check makes a track and a clip in the open Set, plays the clip, and takes both away again. Use an empty Set.",
    );
    print(&format!(
        "{} steps. After a question: Enter is yes; else write what you see; q ends the check.",
        STEPS.len()
    ));
    let mut walk = Walk::new(client, options.any_host, !options.yes);
    let mut report = Report::default();
    for (at, step) in STEPS.iter().enumerate() {
        print("");
        print(&format!("{}/{} {}: {}", at + 1, STEPS.len(), step.name, step.does));
        let (outcome, saw) = one_step(step, &mut walk, &person);
        print(&format!("    {}", outcome.word()));
        report.add(step.name, outcome, saw);
        if outcome == Outcome::Ended || (outcome == Outcome::Wrong && step.is_needed) {
            break;
        }
    }
    if let Some(told) = walk.clean_up() {
        print("");
        print(&format!("Taking back what the check made: {told}"));
    }
    let is_right = report.is_right(STEPS.len());
    report.lines(&walk.facts, STEPS.len()).iter().for_each(|line| print(line));
    if is_right { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Runs a step; gives how it went, and what was seen.
fn one_step(step: &Step, walk: &mut Walk, person: &Person) -> (Outcome, String) {
    if let Some(before) = step.before {
        if !walk.is_attended {
            return (Outcome::LeftOut, "nobody is there to do it".to_owned());
        }
        match person.ask(before) {
            Answer::Yes => {}
            Answer::Sees(words) => return (Outcome::LeftOut, words),
            Answer::Ends => return (Outcome::Ended, "the check was ended here".to_owned()),
        }
    }
    let saw = match (step.run)(walk) {
        Ok(saw) => saw.replace('\n', ", "),
        Err(why) => {
            print(&format!("    saw: {why}"));
            return (Outcome::Wrong, why.replace('\n', ", "));
        }
    };
    print(&format!("    saw: {saw}"));
    let Some(look) = step.look else { return (Outcome::Right, saw) };
    match person.ask(look) {
        Answer::Yes => (Outcome::Right, saw),
        Answer::Sees(words) => (Outcome::Wrong, format!("{saw}; the person sees: {words}")),
        Answer::Ends => (Outcome::Ended, format!("{saw}; the check was ended here")),
    }
}
