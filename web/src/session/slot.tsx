/** A clip slot: the triangle launches, the name chooses. */

import { useEffect, useRef } from "preact/hooks";
import type { SlotRow, Track } from "../device/shapes";
import { parseMeter, span } from "../music/time";
import { isolated } from "../music/words";
import { textOn } from "../music/color";
import { chooseClip, chosenClip, launchClip, stopTrack } from "../state/acts";
import { isPlaying, launches } from "../state/motion";
import { flashed, slots, slotKey, view } from "../state/store";
import { tab } from "../state/tab";
import { filledGroupSlots, groupLaunches } from "./columns";
import { columnWidth } from "./geometry";
import { focusCell, focused } from "./grid_keys";
import { paintBar } from "./progress";

interface Props {
  track: Track;
  trackIndex: number;
  column: number;
  row: number;
}

export type SlotState = "still" | "playing" | "waiting" | "stopping";

export function slotState(track: number, scene: number): SlotState {
  const { playing, waiting } = launches.value;
  const isPlaying = playing.get(track)?.scene === scene;
  const next = waiting.get(track);
  if (next === scene) return "waiting";
  if (isPlaying) return next === -1 ? "stopping" : "playing";
  return "still";
}

export function SlotCell({ track, trackIndex, column, row }: Props): preact.JSX.Element {
  const slot = slots.value.get(slotKey(trackIndex, row));
  const isFocused = focused.value.row === row && focused.value.column === column;
  const place: Place = {
    role: "gridcell",
    "aria-colindex": column + 1,
    "data-row": row,
    "data-column": column,
    tabIndex: isFocused ? 0 : -1,
    onFocus: () => focusCell(row, column),
    style: { left: `${column * columnWidth.value}px` },
  };
  if (track.kind === "return") return <div {...place} class="slot none" aria-label="no slot" />;
  if (!slot) {
    if (filledGroupSlots.value.has(slotKey(trackIndex, row))) {
      return <GroupSlot place={place} track={track} trackIndex={trackIndex} row={row} />;
    }
    return (
      <div {...place} class="slot empty" aria-label={`${isolated(track.name)}, scene ${row + 1}: empty`}>
        <button
          type="button"
          class="launch"
          tabIndex={-1}
          aria-label={`Stop ${isolated(track.name)}`}
          title={`Stop ${isolated(track.name)}`}
          onClick={() => void stopTrack(trackIndex)}
        >
          <svg viewBox="0 0 12 12" aria-hidden="true">
            <path d="M3 3h6v6h-6z" />
          </svg>
        </button>
      </div>
    );
  }
  return <FullSlot place={place} track={track} slot={slot} />;
}

const STATE_WORDS: Record<SlotState, string> = {
  still: "",
  playing: ", playing",
  waiting: ", waiting to start",
  stopping: ", waiting to stop",
};

/** What is launched plays only while the clock runs. */
function stateWords(state: SlotState): string {
  return state === "playing" && !isPlaying.value ? ", launched" : STATE_WORDS[state];
}

/** What every cell has: where it is, and whether the order of tabs meets it. */
interface Place {
  role: "gridcell";
  "aria-colindex": number;
  "data-row": number;
  "data-column": number;
  tabIndex: number;
  onFocus: () => void;
  style: { left: string };
}

interface FullProps {
  place: Place;
  track: Track;
  slot: SlotRow;
}

/** Of a group below which there are clips: its triangle launches them, and is lit while one plays. */
function GroupSlot({ place, track, trackIndex, row }: { place: Place; track: Track; trackIndex: number; row: number }): preact.JSX.Element {
  const key = slotKey(trackIndex, row);
  const { playing, waiting } = groupLaunches.value;
  const state = playing.has(key) ? "playing" : waiting.has(key) ? "waiting" : "still";
  const launch = `Launch scene ${row + 1} of ${isolated(track.name)}`;
  return (
    <div {...place} class={`slot group ${state}`} aria-label={`${isolated(track.name)}, scene ${row + 1}: clips in the group${stateWords(state)}`}>
      <button type="button" class="launch" tabIndex={-1} aria-label={launch} title={launch} onClick={() => void launchClip(trackIndex, row)}>
        <svg viewBox="0 0 12 12" aria-hidden="true">
          <path d="M3 1.5v9l7.5-4.5z" />
        </svg>
      </button>
    </div>
  );
}

function FullSlot({ place, track, slot }: FullProps): preact.JSX.Element {
  const [trackIndex, scene, id, name, colorIndex, lengthBeats, isAudio, isLooped, isMuted, noteCount] = slot;
  const state = slotState(trackIndex, scene);
  const color = view.value?.palette[colorIndex] ?? "#888888";
  const shownName = name || (isAudio ? "audio" : "clip");
  const length = span(lengthBeats, parseMeter(view.value?.song?.meter));
  const holds = isAudio ? "audio" : `${noteCount ?? 0} notes`;
  const classes = ["slot", "full", state];
  if (isMuted) classes.push("off");
  if (flashed.value.has(id)) classes.push("flash");
  if (chosenClip.value === id) classes.push("chosen");
  const open = (): void => {
    chooseClip(id);
    tab.value = "clip";
  };
  return (
    <div
      {...place}
      class={classes.join(" ")}
      style={{ ...place.style, "--color": color, "--on-color": textOn(color) }}
      aria-label={`${isolated(track.name)}, scene ${scene + 1}: ${isolated(shownName)}${stateWords(state)}${isMuted ? ", switched off" : ""}${isLooped ? "" : ", plays once"}`}
    >
      <button
        type="button"
        class="launch"
        tabIndex={-1}
        aria-label={`Launch ${isolated(shownName)}`}
        onClick={() => void launchClip(trackIndex, scene)}
      >
        <svg viewBox="0 0 12 12" aria-hidden="true">
          {state === "stopping" ? <path d="M2.5 2.5h7v7h-7z" /> : <path d="M3 1.5v9l7.5-4.5z" />}
        </svg>
      </button>
      <button
        type="button"
        class="clip-name"
        dir="auto"
        tabIndex={-1}
        title={`${isolated(shownName)}, ${length}, ${holds}, ${isLooped ? "looped" : "plays once"}. Double-click opens it.`}
        onClick={() => chooseClip(id)}
        onDblClick={open}
      >
        {shownName}
      </button>
      {!isLooped && (
        <svg class="once" viewBox="0 0 12 12" aria-hidden="true">
          <path d="M0 5.2h6V2.6L10 6 6 9.4V6.8H0zM10.4 2H12v8h-1.6z" />
        </svg>
      )}
      {(state === "playing" || state === "stopping") && <Bar track={trackIndex} />}
    </div>
  );
}

function Bar({ track }: { track: number }): preact.JSX.Element {
  const element = useRef<HTMLElement>(null);
  useEffect(() => (element.current ? paintBar(track, element.current) : undefined), [track]);
  return (
    <span class="bar" aria-hidden="true">
      <i ref={element} class="progress" />
    </span>
  );
}
