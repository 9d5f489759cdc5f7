//! The HTTP API and the Set behind it, seen from outside: every request is a real one over a socket.

#[allow(dead_code, reason = "of all the tests of this folder tree; these use a part of it")]
#[path = "../it/support/fake_live_process.rs"]
mod fake_live_process;
#[allow(dead_code, reason = "a client for all the tests of this folder tree; these use a part of it")]
#[path = "../it/support/http.rs"]
mod http;
mod live_seat;
#[allow(dead_code, reason = "shared with the library's own tests and its benchmark")]
#[path = "../support/sample_tree.rs"]
mod sample_tree;
#[allow(dead_code, reason = "of all the tests of this folder tree; these use a part of it")]
#[path = "../it/support/script.rs"]
mod script;
mod support;

mod answered_values;
mod any_arguments;
mod arrangement;
mod batch;
mod budgets;
mod catalogue;
mod clip_moves;
mod clip_regions;
mod clip_updates;
mod config;
mod conformance;
mod context;
mod contract;
mod delete;
mod device_params;
mod device_presets;
mod device_samples;
mod device_sweep;
mod devices;
mod dry_run;
mod duplicate;
mod duplicate_clips;
mod duplicate_devices;
mod echoes;
mod fields_of_answers;
mod full_tracks;
mod groups;
mod heard;
mod history;
mod history_words;
mod jobs;
mod last_position;
mod late;
mod launching;
mod laws;
mod left_behind;
mod library;
mod locators;
mod mcp;
mod meeting_clips;
mod model;
mod moved_paths;
mod new_audio_clips;
mod new_clips;
mod new_clips_over_others;
mod new_devices;
mod new_lengths;
mod note_merge;
mod note_mistakes;
mod note_texts;
mod note_work;
mod notes;
mod offline_mix;
mod on_live;
mod one_of_a_list;
mod openapi;
mod params_on_a_set;
mod permissions;
mod pickups;
mod pictures;
mod playback;
mod profile;
mod raw_calls;
mod raw_rules;
mod raw_tracks;
mod raw_writes;
mod read_clips;
mod recipes;
mod restore;
mod restore_at_random;
mod returns;
mod saved_changes;
mod session_tools;
mod session_walk;
mod set_files;
mod sizes;
mod small_calls;
mod sound;
mod source_tempo;
mod spelled_pitches;
mod spoken_texts;
mod stage;
mod statuses;
mod switch_lists;
mod table;
mod taught_calls;
mod token;
mod told;
mod tools;
mod tools_on_a_set;
mod transform_rules;
mod undo;
mod update_device;
mod update_track;
mod views;
mod work;
