//! Notes that are left out and texts that are refused: told once, where they are, with what was meant.

use super::*;

#[test]
fn unknown_names_of_a_dropped_note_are_told() {
    let kept = "{p:1,t:0}";
    for (list, told) in [
        ("{pitch:45,time:1}", "\"time\" is no member of a note (did you mean t?)"),
        ("{'note':45,t:1}", "\"note\" is no member of a note (did you mean p?)"),
        ("{P:45,t:1}", "\"P\" is no member of a note (did you mean p?)"),
        ("{Pitch:45,t:1}", "\"Pitch\" is no member of a note (did you mean p?)"),
        ("{p:45,strat:1}", "\"strat\" is no member of a note (did you mean t?)"),
        ("{p:45,length:2}", "\"length\" is no member of a note (did you mean d?)"),
        // The member is there: something else was meant.
        ("{t:45,time:1}", "\"time\" is no member of a note"),
        ("{p:45,time:1},{t:0,time:1}", "\"time\" is no member of a note"),
        ("{p:45,zz:1}", "\"zz\" is no member of a note"),
        ("{p:45,zz:1,time:1}", "\"zz\" is no member of a note; \"time\" is no member of a note (did you mean t?)"),
        ("{p:45}", "missing or no finite number (1)"),
    ] {
        let warned = parse(&format!("[{list},{kept}]"), Meter::COMMON, &[]).unwrap().warnings;
        assert!(warned.len() == 1 && warned[0].ends_with(told), "{list}: {warned:?}");
        let refused = parse(&format!("[{list}]"), Meter::COMMON, &[]).unwrap_err().to_string();
        assert!(refused.contains("no note that can be used") && refused.ends_with(told), "{list}: {refused}");
    }
    // A note that is whole may have any others.
    assert_eq!(parse("[{p:1,t:0,time:9}]", Meter::COMMON, &[]).unwrap().warnings, Vec::<String>::new());
    let many: Vec<String> = (0..50).map(|i| format!("{{p:1,x{i}:1}}")).collect();
    let refused = parse(&format!("[{}]", many.join(",")), Meter::COMMON, &[]).unwrap_err().to_string();
    assert!(refused.len() < 500 && refused.contains("x7") && !refused.contains("x8"), "{refused}");
    let array = json!([{"pitch": 45, "start_time": 1}]);
    let refused = parse_array(array.as_array().unwrap(), Meter::COMMON, &[]).unwrap_err().to_string();
    assert!(refused.contains("\"start_time\" is no member of a note (did you mean t?)"), "{refused}");
}

#[test]
fn one_fault_is_told_once() {
    for (text, told) in [
        ("[{p:62,t:2}}]", vec![(11, "expected , or ]")]),
        ("[{p:60,t:{a:1}}]", vec![(9, "expected a number")]),
        ("[{p:60,t:{a:1},v:x}]", vec![(9, "expected a number"), (17, "expected a number")]),
        ("[{}:]", vec![(3, "expected , or ]")]),
        ("[{p:1,t:0}\u{2028}]", vec![(10, "U+2028")]),
        ("[[{p:60,t:0}],[{p:61,t:0}]]", vec![(1, "one list holds all"), (14, "one list holds all")]),
        ("[{p:60,t:0},\u{1f3b9}{p:x,t:0}]", vec![(12, "U+1F3B9"), (16, "expected a number")]),
        ("[{p:\"a,b\",t:0}]", vec![(4, "expected a number")]),
        ("[{p:60,t:\"x}\"}]", vec![(9, "expected a number")]),
        ("[{p:60,t:0,v:[1,2]}]", vec![(13, "expected a number")]),
        ("[{p:1,t:0]", vec![(9, "expected , or }")]),
        ("[{p:1,t:0 {p:2,t:x}]", vec![(10, "expected , or }"), (17, "expected a number")]),
        ("[{p:1,t:0", vec![(9, "expected , or }")]),
        ("[{p:1,t:0},", vec![(11, "expected a note")]),
        ("[,{p:1,t:0}]", vec![(1, "expected a note")]),
        ("[{p:1,t:0},,{p:1,t:0}]", vec![(11, "expected a note")]),
        ("[{p:1,t:0,,d:1}]", vec![(10, "expected the name")]),
        ("[{p:1,t:0},]", vec![(10, "no comma before ]")]),
        ("[{p:1,t:0,}]", vec![(9, "no comma before }")]),
        ("[\"don't\",{p:x}]", vec![(1, "expected a note"), (12, "expected a number")]),
        ("[{p:don't,t:0},{p:'q}]", vec![(4, "expected a number"), (18, "expected a number")]),
    ] {
        let NotationError::Mistakes { mistakes, .. } = parse(text, Meter::COMMON, &[]).unwrap_err() else {
            panic!("{text}")
        };
        let found: Vec<_> = mistakes
            .iter()
            .map(|m| match m.place {
                MistakePlace::Text { character, .. } => (character, m.problem.clone()),
                MistakePlace::Element { .. } => panic!("{m}"),
            })
            .collect();
        assert_eq!(found.len(), told.len(), "{text}: {mistakes:#?}");
        for ((at, problem), (place, part)) in found.iter().zip(told) {
            assert!(*at == place && problem.contains(part), "{text}: {mistakes:#?}");
        }
    }
}

#[test]
fn says_what_was_meant() {
    for (text, problem, fix) in [
        ("{p:60,t:0}", "expected [", Some("[{p:60,t:0}]")),
        ("{p:60,t:0},{p:61,t:0}", "expected [", Some("[{p:60,t:0},{p:61,t:0}]")),
        ("{p:60", "expected [", None),
        ("{\"notes\":[{\"p\":60,\"t\":0}]}", "the list of notes itself", None),
        ("```json\n[{p:60,t:0}]\n```", "leave out the ```", None),
        ("[{\u{201c}p\u{201d}:60,t:0}]", "U+201C", Some("\"")),
        ("[{p:60,t:0,vd:None}]", "or the note without it", None),
        ("[{p:60,t:0,c:null}]", "or the note without it", None),
        ("[{p:60,t:null}]", "expected a number or a ratio", None),
        ("[{p:60,t:0,v:True}]", "expected a number or a ratio", None),
    ] {
        let NotationError::Mistakes { mistakes, .. } = parse(text, Meter::COMMON, &[]).unwrap_err() else {
            panic!("{text}")
        };
        let first = &mistakes[0];
        assert!(first.problem.contains(problem), "{text}: {first}");
        assert_eq!(first.fix.as_deref(), fix, "{text}: {first}");
    }
}
