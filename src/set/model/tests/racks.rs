//! Racks: order, depth, macros, variations, pads, and that undo takes every edit back exactly.

use super::Bench;
use crate::music::Random;
use crate::object_model::{ObjectModel, Value};
use crate::set::document::device_tree::{MAX_RACK_DEPTH, MacroMapping};
use crate::set::document::ids::{IdParts, Serial};
use crate::set::edit::saved_set;
use std::sync::Arc;

const TRACK: &str = "live_set tracks 0";
const RACK: &str = "live_set tracks 0 devices 0";

fn with_rack(kind: &str, chains: usize) -> Bench {
    let mut bench = Bench::new();
    bench.made(TRACK, "insert_device", &[kind.into()]);
    for _ in 0..chains {
        bench.made(RACK, "insert_chain", &[]);
    }
    bench
}

fn serial(bench: &Bench, path: &str) -> Serial {
    match IdParts::from_id(bench.at(path)) {
        Some(IdParts::Made(serial)) => serial,
        other => panic!("{path}: {other:?}"),
    }
}

/// An Instrument Rack whose macros 1 and 2 move Operator's parameters.
fn mapped() -> Bench {
    let mut bench = with_rack("Instrument Rack", 1);
    bench.made(&format!("{RACK} chains 0"), "insert_device", &["Operator".into()]);
    let (rack, operator) = (serial(&bench, RACK), serial(&bench, &format!("{RACK} chains 0 devices 0")));
    let specs = bench.0.document.device(operator).unwrap().specs();
    let quantized = specs.iter().skip(1).position(|spec| spec.quantized).unwrap() + 1;
    let free = specs.iter().position(|spec| spec.min == 0.0 && spec.max == 1.0 && !spec.quantized).unwrap();
    let mapping = |macro_index, parameter: usize, at_127| {
        let target = IdParts::Parameter { device: operator, index: u16::try_from(parameter).unwrap() };
        let mapping = MacroMapping::of(macro_index, target, (0.0, at_127)).unwrap();
        MacroMapping { excluded_from_chance: macro_index == 1, ..mapping }
    };
    let all = vec![mapping(0, free, 1.0), mapping(1, quantized, specs[quantized].max)];
    bench.0.document.edit_device(rack, |d| Arc::make_mut(d.rack.as_mut().unwrap()).mappings = all).unwrap();
    bench.0.begin_step("");
    bench
}

#[test]
fn a_mapped_macro_shows_and_moves_its_target() {
    let mut bench = mapped();
    let rack = bench.0.document.device(serial(&bench, RACK)).unwrap().clone();
    let mapping = rack.rack.as_ref().unwrap().mappings[0].clone();
    let (of_macro, target) =
        (format!("{RACK} parameters 1"), format!("{RACK} chains 0 devices 0 parameters {}", mapping.parameter));
    assert_eq!(bench.get(&of_macro, "name"), bench.get(&target, "name"));
    assert_eq!(bench.get(&of_macro, "original_name"), "Macro 1".into());
    assert_eq!(bench.get(RACK, "has_macro_mappings"), true.into());
    let Value::Bools(list) = bench.get(RACK, "macros_mapped") else { panic!() };
    assert_eq!((list.len(), list[0], list[1], list[2]), (16, true, true, false));
    bench.set(&of_macro, "value", 63.5).unwrap();
    assert_eq!(bench.get(&target, "value"), 0.5.into());
    assert_eq!(bench.call(&of_macro, "__str__", &[]), bench.call(&target, "__str__", &[]));
    // The macro owns it.
    assert_eq!((bench.get(&target, "is_enabled"), bench.get(&target, "state")), (false.into(), 2.into()));
    assert!(bench.set(&target, "value", 0.1).unwrap_err().contains("macro"));
    assert_eq!(bench.get(&target, "value"), 0.5.into());
    // A copy of the track has macros of its own.
    bench.call("live_set", "duplicate_track", &[0.into()]).unwrap();
    bench.set("live_set tracks 1 devices 0 parameters 1", "value", 127.0).unwrap();
    let copied = target.replace("tracks 0", "tracks 1");
    assert_eq!((bench.get(&copied, "value"), bench.get(&target, "value")), (1.0.into(), 0.5.into()));
    // Saved and loaded, it is the same.
    let text = saved_set::save(&bench.0.document);
    assert_eq!(saved_set::load(&text).unwrap().document, bench.0.document);
    // Without its device nothing is mapped.
    bench.call(&format!("{RACK} chains 0"), "delete_device", &[0.into()]).unwrap();
    assert_eq!(bench.get(RACK, "has_macro_mappings"), false.into());
    assert_eq!(bench.get(&of_macro, "name"), "Macro 1".into());
}

#[test]
fn a_macro_moves_a_chains_mixer() {
    let mut bench = with_rack("Drum Rack", 2);
    let chain = serial(&bench, &format!("{RACK} chains 1"));
    let rack = serial(&bench, RACK);
    let strip = |index| IdParts::ChainMixerParameter { chain, index };
    let mapping = |macro_index, target, ends| MacroMapping::of(macro_index, target, ends).unwrap();
    let all =
        vec![mapping(0, strip(0), (0.0, 0.85)), mapping(1, strip(1), (1.0, -1.0)), mapping(2, strip(2), (1.0, 0.0))];
    bench.0.document.edit_device(rack, |d| Arc::make_mut(d.rack.as_mut().unwrap()).mappings = all).unwrap();
    bench.0.begin_step("");
    let of_macro = |at: usize| format!("{RACK} parameters {at}");
    let mixer = |name: &str| format!("{RACK} chains 1 mixer_device {name}");
    for (at, value, target, want) in [
        (1, 127.0, "volume", 0.85),
        (2, 127.0, "panning", -1.0),
        (3, 60.0, "chain_activator", 1.0),
        (3, 100.0, "chain_activator", 0.0),
    ] {
        bench.set(&of_macro(at), "value", value).unwrap();
        assert_eq!(bench.get(&mixer(target), "value"), want.into(), "{target}");
        assert_eq!(bench.get(&of_macro(at), "name"), bench.get(&mixer(target), "name"));
    }
    assert_eq!(bench.call(&of_macro(1), "__str__", &[]), bench.call(&mixer("volume"), "__str__", &[]));
    // The macros own what they move, and nothing beside it.
    assert!(bench.set(&mixer("volume"), "value", 0.5).unwrap_err().contains("macro"));
    assert_eq!(bench.get(&mixer("volume"), "is_enabled"), false.into());
    bench.set(&format!("{RACK} chains 0 mixer_device volume"), "value", 0.5).unwrap();
    // A copy has macros of its own; saved and loaded, all is the same.
    bench.call("live_set", "duplicate_track", &[0.into()]).unwrap();
    bench.set("live_set tracks 1 devices 0 parameters 1", "value", 0.0).unwrap();
    let copied = mixer("volume").replace("tracks 0", "tracks 1");
    assert_eq!((bench.get(&copied, "value"), bench.get(&mixer("volume"), "value")), (0.0.into(), 0.85.into()));
    let text = saved_set::save(&bench.0.document);
    assert_eq!(saved_set::load(&text).unwrap().document, bench.0.document);
}

#[test]
fn chance_moves_mapped_macros_that_are_not_excluded_and_repeats_with_its_seed() {
    let draw = |seed| {
        let mut bench = mapped();
        bench.0.runtime.random = Random::from_seed(seed);
        bench.call(RACK, "randomize_macros", &[]).unwrap();
        (1..=3).map(|at| bench.get(&format!("{RACK} parameters {at}"), "value").as_f64().unwrap()).collect::<Vec<_>>()
    };
    let values = draw(7);
    assert!(values[0] > 0.0 && values[0] <= 127.0 && values[0].fract() == 0.0, "{values:?}");
    assert_eq!(values[1..], [0.0, 0.0], "excluded, and not mapped");
    assert_eq!(draw(7), values);
    assert_ne!(draw(8), values);
}

#[test]
fn variations_are_stored_recalled_and_deleted() {
    let mut bench = with_rack("Instrument Rack", 0);
    let value = format!("{RACK} parameters 16");
    for number in [10.0, 20.0, 30.0] {
        bench.set(&value, "value", number).unwrap();
        bench.call(RACK, "store_variation", &[]).unwrap();
    }
    let state = |b: &Bench| {
        (
            b.get(RACK, "variation_count").as_i64(),
            b.get(RACK, "selected_variation_index").as_i64(),
            b.get(&value, "value").as_f64(),
        )
    };
    assert_eq!(state(&bench), (Some(3), Some(2), Some(30.0)));
    bench.set(RACK, "selected_variation_index", 0).unwrap();
    assert_eq!(state(&bench), (Some(3), Some(0), Some(30.0)), "selecting recalls nothing");
    bench.call(RACK, "recall_selected_variation", &[]).unwrap();
    assert_eq!(state(&bench), (Some(3), Some(0), Some(10.0)));
    bench.set(RACK, "selected_variation_index", 1).unwrap();
    bench.call(RACK, "delete_selected_variation", &[]).unwrap();
    assert_eq!(state(&bench), (Some(2), Some(-1), Some(10.0)));
    bench.call(RACK, "delete_selected_variation", &[]).unwrap();
    bench.call(RACK, "recall_selected_variation", &[]).unwrap();
    assert_eq!(state(&bench), (Some(2), Some(-1), Some(10.0)), "nothing is selected");
    bench.set(&value, "value", 5.0).unwrap();
    bench.call(RACK, "recall_last_used_variation", &[]).unwrap();
    assert_eq!(state(&bench), (Some(2), Some(0), Some(10.0)));
    for wrong in [2, -2] {
        assert!(bench.set(RACK, "selected_variation_index", wrong).is_err());
    }
}

#[test]
fn macros_are_shown_in_pairs() {
    let mut bench = with_rack("Instrument Rack", 0);
    let mut walk = |function: &str, times: usize| {
        (0..times)
            .map(|_| {
                bench.call(RACK, function, &[]).unwrap();
                bench.get(RACK, "visible_macro_count").as_i64().unwrap()
            })
            .collect::<Vec<_>>()
    };
    assert_eq!(walk("add_macro", 5), [10, 12, 14, 16, 16]);
    assert_eq!(walk("remove_macro", 9), [14, 12, 10, 8, 6, 4, 2, 1, 1]);
    assert_eq!(walk("add_macro", 2), [2, 4]);
}

#[test]
fn chains_keep_their_order_and_colours_follow_the_container() {
    let mut bench = with_rack("Instrument Rack", 2);
    let second = bench.at(&format!("{RACK} chains 1"));
    let first = bench.made(RACK, "insert_chain", &[0.into()]);
    assert_eq!((bench.path(first), bench.path(second)), (format!("{RACK} chains 0"), format!("{RACK} chains 2")));
    let chain = format!("{RACK} chains 0");
    bench.set(TRACK, "color_index", 5).unwrap();
    assert_eq!((bench.get(&chain, "color_index"), bench.get(&chain, "is_auto_colored")), (5.into(), true.into()));
    bench.set(&chain, "is_auto_colored", false).unwrap();
    bench.set(TRACK, "color_index", 6).unwrap();
    assert_eq!(bench.get(&chain, "color_index"), 5.into());
    bench.set(&chain, "is_auto_colored", true).unwrap();
    assert_eq!(bench.get(&chain, "color_index"), 6.into());
    bench.set(&chain, "color", 0xFF_94_A7).unwrap();
    assert_eq!((bench.get(&chain, "color"), bench.get(&chain, "is_auto_colored")), (0xFF_94_A6.into(), false.into()));
    bench.set(&chain, "solo", true).unwrap();
    let muted: Vec<_> = (0..3).map(|at| bench.get(&format!("{RACK} chains {at}"), "muted_via_solo")).collect();
    assert_eq!(muted, [false.into(), true.into(), true.into()]);
    bench.set(&format!("{chain} mixer_device chain_activator"), "value", 0).unwrap();
    assert_eq!(bench.get(&chain, "mute"), true.into());
}

#[test]
fn devices_move_between_tracks_and_chains_to_the_nearest_legal_place() {
    let mut bench = with_rack("Instrument Rack", 2);
    let (a, b) = (format!("{RACK} chains 0"), format!("{RACK} chains 1"));
    for device in ["Chord", "Operator", "Reverb", "Delay"] {
        bench.made(&a, "insert_device", &[device.into()]);
    }
    let moved = |bench: &mut Bench, function: &str, device, to: &str, at: i64| {
        let target = bench.at(to).into();
        bench.call("live_set", function, &[device, target, at.into()])
    };
    let (chord, operator) = (bench.at(&format!("{a} devices 0")), bench.at(&format!("{a} devices 1")));
    assert_eq!(moved(&mut bench, "find_device_position", chord.into(), &a, 9), Ok(0.into()));
    assert_eq!(moved(&mut bench, "find_device_position", chord.into(), TRACK, 9), Ok(0.into()), "before the rack");
    assert!(moved(&mut bench, "move_device", operator.into(), TRACK, 0).is_err(), "the rack is an instrument too");
    assert_eq!(moved(&mut bench, "move_device", operator.into(), &b, 5), Ok(0.into()));
    assert_eq!(bench.path(operator), format!("{b} devices 0"), "the same object, somewhere else");
    let reverb = bench.at(&format!("{a} devices 1"));
    assert_eq!(moved(&mut bench, "move_device", reverb.into(), &b, 0), Ok(1.into()), "after the instrument");
    assert_eq!(moved(&mut bench, "move_device", reverb.into(), "live_set tracks 2", 0), Ok(0.into()));
    assert!(moved(&mut bench, "move_device", chord.into(), "live_set tracks 2", 0).is_err());
    let rack = bench.at(RACK);
    assert!(moved(&mut bench, "move_device", rack.into(), &a, 0).unwrap_err().contains("into itself"));
    bench.call(&b, "duplicate_device", &[0.into()]).unwrap_err();
    bench.call(&a, "duplicate_device", &[0.into()]).unwrap();
    assert_eq!(bench.0.child_count(bench.at(&a), "devices"), Ok(3), "two Chords and the Delay");
}

#[test]
fn racks_stand_only_so_deep_in_one_another() {
    let mut bench = with_rack("Instrument Rack", 1);
    let mut chain = format!("{RACK} chains 0");
    for depth in 1..MAX_RACK_DEPTH {
        let rack = bench.made(&chain, "insert_device", &["Instrument Rack".into()]);
        let path = bench.path(rack);
        bench.made(&path, "insert_chain", &[]);
        chain = format!("{path} chains 0");
        assert_eq!(chain.matches("chains").count(), depth + 1);
    }
    assert!(bench.call(&chain, "insert_device", &["Instrument Rack".into()]).unwrap_err().contains("deep"));
    bench.made(&chain, "insert_device", &["Operator".into()]);
    // A rack that holds a rack does not fit into the last but one chain of another track's.
    bench.call("live_set", "duplicate_track", &[0.into()]).unwrap();
    let deep = bench.at("live_set tracks 1 devices 0").into();
    let target = bench.at(&format!("{RACK} chains 0")).into();
    assert!(bench.call("live_set", "move_device", &[deep, target, 0.into()]).is_err());
    // Off outside is off inside.
    let inside = format!("{chain} devices 0");
    bench.set(&format!("{RACK} parameters 0"), "value", 0).unwrap();
    assert_eq!(bench.get(&inside, "is_active"), false.into());
    assert_eq!(saved_set::load(&saved_set::save(&bench.0.document)).unwrap().document, bench.0.document);
}

#[test]
fn pads_are_the_chains_of_their_note() {
    let mut bench = with_rack("Drum Rack", 2);
    assert_eq!(bench.get(&format!("{RACK} chains 0"), "in_note"), (-1).into());
    let pad = |note: usize| format!("{RACK} drum_pads {note}");
    assert_eq!(bench.0.child_count(bench.at(RACK), "drum_pads"), Ok(128));
    assert_eq!(bench.get(&pad(60), "name"), "C3".into());
    for at in 0..2 {
        bench.set(&format!("{RACK} chains {at}"), "in_note", 60).unwrap();
    }
    bench.set(&format!("{RACK} chains 0"), "name", "Kick").unwrap();
    assert_eq!(bench.get(&pad(60), "name"), "Multi".into());
    bench.set(&pad(60), "mute", true).unwrap();
    assert_eq!(bench.get(&format!("{RACK} chains 1"), "mute"), true.into());
    bench.set(&format!("{RACK} chains 1"), "in_note", 61).unwrap();
    assert_eq!((bench.get(&pad(60), "name"), bench.get(&pad(61), "name")), ("Kick".into(), "Chain".into()));
    bench.call(RACK, "copy_pad", &[60.into(), 61.into()]).unwrap();
    assert_eq!(bench.0.child_count(bench.at(&pad(61)), "chains"), Ok(2), "the copy lies beside what was there");
    assert_eq!(bench.path(bench.at(&format!("{} chains 1", pad(61)))), format!("{RACK} chains 2"));
    bench.call(&pad(61), "delete_all_chains", &[]).unwrap();
    assert_eq!(bench.0.child_count(bench.at(RACK), "chains"), Ok(1));
    // The view.
    let view = format!("{RACK} view");
    assert_eq!(bench.get(&view, "selected_drum_pad"), bench.at(&pad(36)).into());
    let first = |b: &Bench| b.get(&format!("{RACK} visible_drum_pads 0"), "note").as_i64();
    assert_eq!((first(&bench), bench.0.child_count(bench.at(RACK), "visible_drum_pads")), (Some(36), Ok(16)));
    bench.set(&view, "drum_pads_scroll_position", 28).unwrap();
    assert_eq!(first(&bench), Some(112));
    let kick = bench.at(&format!("{RACK} chains 0"));
    bench.set(&view, "selected_chain", kick).unwrap();
    assert_eq!(bench.get(&view, "selected_drum_pad"), bench.at(&pad(60)).into());
    assert_eq!(bench.get("live_set view", "selected_chain"), kick.into());
    let foreign = bench.at(TRACK);
    assert!(bench.set(&view, "selected_drum_pad", foreign).is_err());
    // Inside another rack there are no pads, and their ids are dead.
    let (id, drums) = (bench.at(&pad(60)), bench.at(RACK));
    bench.made("live_set tracks 1", "insert_device", &["Instrument Rack".into()]);
    let chain = bench.made("live_set tracks 1 devices 0", "insert_chain", &[]);
    bench.call("live_set", "move_device", &[drums.into(), chain.into(), 0.into()]).unwrap();
    assert!(bench.0.class_of(id).unwrap().is_none() && bench.path(id).is_empty());
    assert_eq!(bench.0.get(drums, "has_drum_pads"), Ok(false.into()));
    assert_eq!(bench.0.child_count(drums, "drum_pads"), Ok(0));
}

#[test]
fn undo_takes_every_rack_edit_back_exactly() {
    let mut bench = Bench::new();
    let steps: &[(&str, &str, &[Value])] = &[
        (TRACK, "insert_device", &[Value::Text(String::new())]),
        (RACK, "insert_chain", &[]),
        (RACK, "insert_chain", &[Value::Int(0)]),
        (RACK, "store_variation", &[]),
        (RACK, "add_macro", &[]),
        ("live_set tracks 0 devices 0 chains 0", "insert_device", &[Value::Text(String::new())]),
        (RACK, "copy_pad", &[Value::Int(36), Value::Int(40)]),
        ("live_set tracks 0 devices 0 drum_pads 36", "delete_all_chains", &[]),
        (RACK, "delete_selected_variation", &[]),
        (TRACK, "delete_device", &[Value::Int(0)]),
    ];
    let mut states = vec![bench.0.document.clone()];
    for (path, function, args) in steps {
        bench.0.begin_step(function);
        let named = match (*function, *path) {
            ("insert_device", TRACK) => vec!["Drum Rack".into()],
            ("insert_device", _) => vec!["Simpler".into()],
            _ => args.to_vec(),
        };
        bench.call(path, function, &named).unwrap_or_else(|e| panic!("{path} {function}: {e}"));
        assert!(bench.0.end_step(), "{function} changed something");
        states.push(bench.0.document.clone());
        if states.len() == 4 {
            bench.0.begin_step("in_note");
            bench.set("live_set tracks 0 devices 0 chains 0", "in_note", 36).unwrap();
            bench.0.end_step();
            states.push(bench.0.document.clone());
        }
    }
    let same = |a: &crate::set::Document, b: &crate::set::Document, what: &str| {
        assert!(a.same_as(b), "{what}");
        assert_eq!(a.index, b.index, "{what}");
    };
    for before in states.iter().rev().skip(1) {
        assert!(bench.0.undo());
        same(&bench.0.document, before, "undo");
    }
    for after in states.iter().skip(1) {
        assert!(bench.0.redo());
        same(&bench.0.document, after, "redo");
    }
}
