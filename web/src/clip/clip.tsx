/** One clip: its notes as a piano roll, or its waveform. Edits of others show at once. */

import { useEffect, useState } from "preact/hooks";
import { signal } from "@preact/signals";
import { get, Refused } from "../device/http";
import type { ClipView, Notes } from "../device/shapes";
import { parseMeter, pitchName, position, span, type Meter } from "../music/time";
import { chosenClip, launchClip, stopTrack } from "../state/acts";
import { slotName } from "../music/words";
import { launches } from "../state/motion";
import { changes, lastChangedClip, tracks, view } from "../state/store";
import { isNarrow } from "../parts/media";
import { Roll } from "./roll";
import { chanceText } from "./roll_plan";
import { Wave } from "./wave";

const follows = signal(false);

/** The clip to show: what was changed last if that is followed, else what is chosen, else what there is. */
function shownClip(): string | null {
  if (follows.value && lastChangedClip.value) return lastChangedClip.value;
  return (
    chosenClip.value ??
    view.value?.selection?.clipId ??
    lastChangedClip.value ??
    view.value?.slots[0]?.[2] ??
    view.value?.arrangement.clips[0]?.[0] ??
    null
  );
}

export function ClipTab(): preact.JSX.Element {
  const id = shownClip();
  const [clip, setClip] = useState<ClipView | null>(null);
  const [why, setWhy] = useState<string | null>(null);
  const revision = changes.value;
  useEffect(() => {
    let isCurrent = true;
    if (id === null) {
      setClip(null);
      setWhy(null);
      return undefined;
    }
    get<ClipView>(`/api/view?clip=${encodeURIComponent(id)}`).then(
      (next) => {
        if (!isCurrent) return;
        setClip(next);
        setWhy(null);
      },
      (problem: unknown) => {
        if (!isCurrent || !(problem instanceof Refused)) return;
        setClip(null);
        setWhy("This clip is gone.");
        if (chosenClip.value === id) chosenClip.value = null;
      },
    );
    return () => {
      isCurrent = false;
    };
  }, [id, revision]);
  if (!clip && id !== null && !why) return <p class="quiet pad">Reading the clip…</p>;
  if (!clip) {
    return (
      <section class="card narrow">
        <h2>{why ?? "No clip chosen"}</h2>
        <p>Click a clip's name in the Session or the Arrangement, and its notes are here.</p>
      </section>
    );
  }
  return (
    <section class="clip-tab" aria-label={`Clip ${clip.name}`}>
      <ClipHead clip={clip} />
      {clip.notes && <Roll clip={clip} notes={clip.notes} />}
      {clip.waveform && <Wave clip={clip} wave={clip.waveform} />}
      {clip.notes && !isNarrow.value && <NoteTable clip={clip} notes={clip.notes} />}
    </section>
  );
}

function slotOf(clip: ClipView): { track: number; scene: number } | null {
  const match = /^t(\d+)\/s(\d+)$/.exec(clip.path);
  return match ? { track: Number(match[1]), scene: Number(match[2]) } : null;
}

function ClipHead({ clip }: { clip: ClipView }): preact.JSX.Element {
  const meter = parseMeter(clip.meter);
  const slot = slotOf(clip);
  const track = tracks.value.find(({ id }) => id === clip.trackId);
  const isPlaying = !!slot && launches.value.playing.get(slot.track)?.clipId === clip.id;
  return (
    <header class="clip-head">
      <h2 style={{ "--color": clip.color ?? "var(--line)" }}>
        <bdi>{clip.name || "unnamed clip"}</bdi>
        {clip.isMuted && <span class="quiet"> (switched off)</span>}
      </h2>
      <p class="quiet">
        {[slot ? slotName(slot.track, slot.scene, tracks.value, view.value?.scenes ?? []) : track?.name, facts(clip, meter)].filter(Boolean).join(" · ")}
      </p>
      <span class="clip-acts">
        <span class={`lamp-label${clip.loop.isOn ? " lit" : ""}`}>
          <i class="lamp" aria-hidden="true" />
          {loopText(clip, meter)}
        </span>
        {slot && (
          <>
            <button type="button" class={`button${isPlaying ? " on" : ""}`} onClick={() => void launchClip(slot.track, slot.scene)}>
              Launch
            </button>
            <button type="button" class="button" disabled={!isPlaying} onClick={() => void stopTrack(slot.track)}>
              Stop
            </button>
          </>
        )}
        <label class="check">
          <input type="checkbox" checked={follows.value} onChange={(event) => (follows.value = event.currentTarget.checked)} />
          Show what changes
        </label>
      </span>
    </header>
  );
}

function facts(clip: ClipView, meter: Meter): string {
  const length = clip.isInSeconds ? `${clip.lengthBeats.toFixed(2)} s` : span(clip.lengthBeats, meter);
  const holds = clip.notes ? `${clip.notes.pitch.length} ${clip.notes.pitch.length === 1 ? "note" : "notes"}` : (clip.waveform?.file ?? "");
  return [holds, length, clip.meter].filter(Boolean).join(" · ");
}

/** Whether it is looped, and where. */
function loopText({ loop, isInSeconds }: ClipView, meter: Meter): string {
  if (!loop.isOn) return "Loop off";
  if (isInSeconds) return "Loop on";
  const short = (beat: number): string => position(beat, meter).replace(/(\.1)?\.1$/, "");
  return `Loop ${short(loop.startBeat)} – ${short(loop.startBeat + loop.lengthBeats)}`;
}

const LISTED = 200;

/** The roll is a picture; who cannot see it reads the same here. */
function NoteTable({ clip, notes }: { clip: ClipView; notes: Notes }): preact.JSX.Element {
  const [isOpen, setOpen] = useState(false);
  const meter = parseMeter(clip.meter);
  return (
    <details class="note-table" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Notes as a table</summary>
      {isOpen && (
        <div class="table-scroller" tabIndex={0} role="region" aria-label="Notes as a table">
          <table>
            <thead>
              <tr>
                {["Position", "Note", "Length", "Velocity", "Chance"].map((name) => (
                  <th key={name} scope="col">
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {notes.pitch.slice(0, LISTED).map((pitch, at) => (
                <tr key={at}>
                  <td>{position(notes.startBeat[at] ?? 0, meter)}</td>
                  <td>{clip.padNames[pitch] ?? pitchName(pitch)}</td>
                  <td>{span(notes.lengthBeats[at] ?? 0, meter)}</td>
                  <td>{notes.velocity[at]}</td>
                  <td>{chanceText(notes.probability[at] ?? 1)}</td>
                </tr>
              ))}
            </tbody>
          </table>
          {notes.pitch.length > LISTED && <p class="quiet">The first {LISTED} of {notes.pitch.length}.</p>}
        </div>
      )}
    </details>
  );
}
