/** Play, stop, where the song is, tempo, meter, loop, and what plays. */

import { useEffect, useRef } from "preact/hooks";
import { act, backToArrangement, flip, play, redo, setLoop, setMetronome, stop, undo } from "../state/acts";
import { isLedByDaw, isPlaying, launches, onFrame, takenOver, tempoBpm } from "../state/motion";
import { regular, settings, slots, slotKey, tracks, view } from "../state/store";
import { parseMeter, position, rootName, typedMeter, typedTempo } from "../music/time";
import { dbText } from "../music/level";
import { FileButton } from "../files/file_dialog";
import { isolated } from "../music/words";
import { say } from "../state/messages";
import { tab } from "../state/tab";
import { Field } from "./field";

export function Transport(): preact.JSX.Element {
  const song = view.value?.song ?? null;
  const playing = isPlaying.value;
  return (
    <header class="transport">
      <h1 class="visually-hidden">SVC Device{song?.name ? `: ${song.name}` : ""}</h1>
      <div class="group" role="group" aria-label="Transport">
        <button type="button" class="transport-button" aria-label="Play" aria-pressed={song ? playing : undefined} onClick={() => void play()}>
          <svg viewBox="0 0 16 16" aria-hidden="true"><path d="M4 2.5v11l9-5.5z" /></svg>
        </button>
        <button type="button" class="transport-button" aria-label="Stop" onClick={() => void stop()}>
          <svg viewBox="0 0 16 16" aria-hidden="true"><path d="M3.5 3.5h9v9h-9z" /></svg>
        </button>
        {song && <Position meter={song.meter} />}
      </div>
      {song && (
        <div class="group song" role="group" aria-label="Song">
          <Field
            label="Tempo"
            unit="BPM"
            value={(tempoBpm.value ?? song.tempoBpm).toFixed(2)}
            width={7}
            readOnly={song.isLedByDaw}
            onCommit={setTempo}
          />
          <Field
            label="Meter"
            value={song.meter}
            width={5}
            readOnly={song.isLedByDaw}
            onCommit={setMeter}
          />
          <button
            type="button"
            class="toggle"
            aria-pressed={song.loop.isOn}
            title={`Loop of the Arrangement, ${loopText(song.loop, song.meter)}: ${song.loop.isOn ? "on" : "off"}`}
            onClick={() => flip("loop", song.loop.isOn, setLoop)}
          >
            <i class="lamp" aria-hidden="true" />
            Loop <span class="quiet">{loopText(song.loop, song.meter)}</span>
          </button>
          <button
            type="button"
            class="toggle metronome"
            aria-label="Metronome"
            aria-pressed={song.metronome}
            title="Metronome (O)"
            onClick={() => flip("metronome", song.metronome, setMetronome)}
          >
            <svg viewBox="0 0 16 16" aria-hidden="true">
              <path d="M5.6 1.5h4.8l2.6 13H3zM6.8 3l-1.9 10h6.2l-.7-3.4-2.2 1.2-.8-1.3 2.7-1.5L9.2 3zM12.2 3.6l.8 1.3-3 1.7-.8-1.3z" fill-rule="evenodd" />
            </svg>
          </button>
          {song.scale.isOn && (
            <span class="quiet scale">
              {rootName(song.scale.rootNote)} {song.scale.name}
            </span>
          )}
        </div>
      )}
      {song ? <NowPlaying /> : <span class="now" />}
      {song && (
        <div class="group history" role="group" aria-label="Set">
          <FileButton />
          <button type="button" class="toggle" disabled={!song.canUndo} title="Ctrl+Z" onClick={() => void undo()}>
            Undo
          </button>
          <button type="button" class="toggle" disabled={!song.canRedo} title="Ctrl+Shift+Z" onClick={() => void redo()}>
            Redo
          </button>
        </div>
      )}
    </header>
  );
}

async function setTempo(text: string): Promise<void> {
  const tempo = typedTempo(text);
  if (tempo === null) say("Tempo is a number from 20 to 999.", "warning");
  else await act("svc-update-live-set", { tempo });
}

async function setMeter(text: string): Promise<void> {
  const timeSignature = typedMeter(text);
  if (timeSignature === null) say("Meter is two numbers, such as 3/4: 1 to 99, and 1, 2, 4, 8 or 16.", "warning");
  else await act("svc-update-live-set", { timeSignature });
}

function loopText(loop: { startBeat: number; lengthBeats: number }, meterText: string): string {
  const meter = parseMeter(meterText);
  const short = (beat: number): string => position(beat, meter).replace(/(\.1)?\.1$/, "");
  return `${short(loop.startBeat)} – ${short(loop.startBeat + loop.lengthBeats)}`;
}

function Position({ meter }: { meter: string | undefined }): preact.JSX.Element {
  const element = useRef<HTMLOutputElement>(null);
  useEffect(() => {
    const parsed = parseMeter(meter);
    return onFrame(({ beat }) => {
      const text = position(beat, parsed);
      if (element.current && element.current.textContent !== text) element.current.textContent = text;
    });
  }, [meter]);
  // A reader of the screen asks for it; it would be spoken at every sixteenth.
  return <output ref={element} class="position" aria-label="Position" aria-live="off" />;
}

/** Clips that are named at most, and from more than how many on they are counted too: their names may not fit. */
const MOST_NAMED = 24;
const MOST_UNCOUNTED = 2;

function NowPlaying(): preact.JSX.Element {
  const playing = launches.value.playing;
  // Of clips that have one name together, the first.
  const named = new Map<string, { track: number; name: string; color: string | undefined }>();
  for (const [track, { scene }] of playing) {
    if (named.size >= MOST_NAMED) break;
    const slot = slots.value.get(slotKey(track, scene));
    const name = tracks.value[track]?.name;
    const clip = slot && (slot[3] || name);
    if (clip && name && !named.has(clip)) named.set(clip, { track, name, color: view.value?.palette[slot[4]] });
  }
  return (
    <div class="now">
      <p class="now-clips" aria-live="polite">
        <span class="quiet">{transportWords(playing.size)}</span>
        {[...named].map(([clip, { track, name, color }]) => (
          <span key={track} class="now-clip" title={clip === name ? name : `${isolated(clip)} on ${isolated(name)}`}>
            <i style={{ background: color ?? "var(--quiet)" }} />
            <bdi>{clip}</bdi>
          </span>
        ))}
      </p>
      <BackToArrangement />
      <Unheard />
      <Loudness />
    </div>
  );
}

/** What plays, without a word too much: of tracks that were stopped the Arrangement is not heard. */
function transportWords(launched: number): string {
  const led = isLedByDaw.value ? ", led by the DAW" : "";
  if (!isPlaying.value) return `${launched ? "Stopped, launched:" : "Stopped"}${led}`;
  if (launched) return `${launched > MOST_UNCOUNTED ? `Playing ${launched} clips` : "Playing"}${led}`;
  const all = regular.value.filter(({ kind }) => kind !== "group").length;
  const stopped = launches.value.stopped.size;
  if (!stopped) return `Playing the Arrangement${led}`;
  return stopped >= all ? `All tracks are stopped${led}` : `Playing the Arrangement, ${stopped} ${stopped === 1 ? "track" : "tracks"} stopped${led}`;
}

/** Shown while a track does not follow the Arrangement, as Live's is lit then. */
export function BackToArrangement(): preact.JSX.Element | null {
  const count = takenOver.value.size;
  if (!count) return null;
  return (
    <button
      type="button"
      class="button back"
      aria-label="Back to Arrangement"
      title={`Back to Arrangement: plays it on all tracks; ${count} ${count === 1 ? "does" : "do"} not follow it now`}
      onClick={() => void backToArrangement()}
    >
      <svg viewBox="0 0 16 16" aria-hidden="true">
        <path d="M3 2v12H1V2zM15 6v4H9.5v3L4 8l5.5-5v3z" />
      </svg>
      <span class="back-words">Back to Arrangement</span>
    </button>
  );
}

/** That nobody hears what plays, whoever looks for the reason. */
function Unheard(): preact.JSX.Element | null {
  const now = settings.value;
  if (!now || (now.sound && !now.soundStatus.isUnheard)) return null;
  return (
    <button type="button" class="button unheard" title={`${now.soundStatus.text} Setup says more.`} onClick={() => (tab.value = "setup")}>
      {now.sound ? "Nobody hears it" : "Sound is off"}
    </button>
  );
}

/** How loud the main output is. */
function Loudness(): preact.JSX.Element {
  const element = useRef<HTMLSpanElement>(null);
  useEffect(
    () =>
      onFrame(({ lufs }) => {
        const text = lufs === null ? "" : `${dbText(lufs)} LUFS`;
        if (element.current && element.current.textContent !== text) element.current.textContent = text;
      }),
    [],
  );
  return <span ref={element} class="quiet loudness" title="Loudness of Main over three seconds" aria-live="off" />;
}
