-- Drives a session of Ardour by lines on standard input, so that a test can do other things between two steps.
--
-- Arguments: the folder of the session, and its name. Each line is the name of an action and a number, where it takes
-- one. An action prints lines of its own, then `done`, or `failed` and why. What the session itself prints stands
-- between them: every line from here begins with a mark.

local folder, name = arg[1], arg[2]
local device_name, recorder_name, tape_name = "Device", "Recorder", "Tape"
local from_user = ARDOUR.TransportRequestSource.TRS_UI
local session

local function say(...)
  io.write("session: ", table.concat({ ... }, " "), "\n")
  io.flush()
end

local function recorder()
  return session:route_by_name(recorder_name):to_track()
end

local function tape()
  return session:route_by_name(tape_name):to_track()
end

local actions = {}

-- A MIDI track with the plugin, and two that record what the plugin plays: its notes, and its sound.
function actions.create()
  session = create_session(folder, name, 48000)
  assert(session, "there is no session")
  local plugin = ARDOUR.LuaAPI.new_plugin_info("SVC Device", ARDOUR.PluginType.VST3)
  assert(not plugin:isnil(), "the plugin is not among those that were scanned")
  local midi, audio = ARDOUR.ChanCount(ARDOUR.DataType("midi"), 1), ARDOUR.ChanCount(ARDOUR.DataType("audio"), 2)
  local function track(outputs, instrument, track_name)
    local order, mode = ARDOUR.PresentationInfo.max_order, ARDOUR.TrackMode.Normal
    return session:new_midi_track(midi, outputs, true, instrument, nil, nil, 1, track_name, order, mode, false):front()
  end
  local device = track(audio, plugin, device_name)
  local input = track(midi, ARDOUR.PluginInfo(), recorder_name):input():midi(0)
  assert(input:connect(device:output():midi(0):name()) == 0, "the tracks cannot be connected")
  local order, mode = ARDOUR.PresentationInfo.max_order, ARDOUR.TrackMode.Normal
  local tape_input = session:new_audio_track(2, 2, nil, 1, tape_name, order, mode, false):front():input()
  for at = 0, 1 do
    local heard = tape_input:audio(at):connect(device:output():audio(at):name())
    assert(heard == 0, "the tracks cannot be connected")
  end
end

function actions.open()
  session = load_session(folder, name)
  assert(session, "there is no session")
end

function actions.save()
  assert(session:save_state("", false, false, false, false, false) == 0, "the session cannot be saved")
end

function actions.close()
  close_session()
  session = nil
end

-- Beats a minute, from the start.
function actions.tempo(bpm)
  local map = Temporal.TempoMap.write_copy()
  map:set_tempo(Temporal.Tempo(bpm, bpm, 4), Temporal.timepos_t(0))
  Temporal.TempoMap.update(map)
end

-- To this sample.
function actions.locate(sample)
  session:request_locate(math.tointeger(sample), false, ARDOUR.LocateTransportDisposition.MustStop, from_user)
end

function actions.arm()
  for _, track in ipairs({ recorder(), tape() }) do
    track:rec_enable_control():set_value(1, PBD.GroupControlDisposition.NoGroup)
  end
  session:maybe_enable_record()
end

function actions.roll()
  session:request_roll(from_user)
end

function actions.stop()
  session:request_stop(false, false, from_user)
end

-- Whether the transport rolls, and the sample it is at.
function actions.transport()
  say(tostring(session:transport_rolling()), tostring(session:transport_sample()))
end

-- The recorded notes: start and length in beats and ticks of the region that holds them, pitch, velocity, channel.
function actions.notes()
  for region in recorder():playlist():region_list():iter() do
    say("region", region:position():str())
    for note in ARDOUR.LuaAPI.note_list(region:to_midiregion():model()):iter() do
      local numbers = string.format("%d %d %d", note:note(), note:velocity(), note:channel())
      say("note", note:time():str(), note:length():str(), numbers)
    end
  end
end

-- The greatest amplitude of each recording of the sound; full scale is 1. There is none until it is written.
function actions.amplitudes()
  for region in tape():playlist():region_list():iter() do
    say(region:to_audioregion():maximum_amplitude(nil))
  end
end

AudioEngine:set_backend("None (Dummy)", "", "")
for line in io.lines() do
  local action, number = line:match("^(%a+) ?(.*)$")
  local worked, why = pcall(actions[action], tonumber(number))
  say(worked and "done" or "failed " .. tostring(why))
end
if session then close_session() end
quit()
