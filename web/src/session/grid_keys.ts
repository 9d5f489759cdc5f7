/** Going through the grid by keys: one cell of it is in the order of tabs, arrows move that one. */

import { signal } from "@preact/signals";
import { act, chooseClip, flipTrack, launchClip, launchScene, stopTrack } from "../state/acts";
import { slots, slotKey } from "../state/store";
import { tab } from "../state/tab";
import { columns, filledGroupSlots, rowCount, toggleFold } from "./columns";
import { columnWidth, HEAD, ROW, sceneWidth } from "./geometry";

/** Row -1 is the heads; the column after the last is the scenes. */
export const focused = signal({ row: 0, column: 0 });

export function focusCell(row: number, column: number): void {
  if (focused.value.row !== row || focused.value.column !== column) focused.value = { row, column };
}

const columnCount = (): number => columns.value.length;

const STEPS: Record<string, [number, number]> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
  PageUp: [-10, 0],
  PageDown: [10, 0],
};

/** Whether a key has moved to another cell, which takes the focus once it is in the page. */
let isMoving = false;

export function onGridKey(event: KeyboardEvent, scroller: HTMLElement | null): void {
  if (event.metaKey || event.altKey || !scroller) return;
  const { row, column } = focused.value;
  if (event.ctrlKey) {
    if (event.key === "Home") move(0, 0, scroller);
    else if (event.key === "End") move(rowCount.value - 1, columnCount(), scroller);
    else return;
    event.preventDefault();
    return;
  }
  const step = STEPS[event.key];
  if (step) move(row + step[0], column + step[1], scroller);
  else if (event.key === "Home") move(row, 0, scroller);
  else if (event.key === "End") move(row, columnCount(), scroller);
  else if (!onCellKey(event, row, column)) return;
  event.preventDefault();
}

/** What a key does in a cell; whether it does anything. */
function onCellKey(event: KeyboardEvent, row: number, column: number): boolean {
  const { track, index } = columns.value[column] ?? { track: undefined, index: -1 };
  const isScene = column >= columnCount();
  const slot = isScene ? undefined : slots.value.get(slotKey(index, row));
  switch (event.key) {
    case "Enter":
    case " ":
      if (row < 0) return false;
      if (isScene) void launchScene(row);
      else if (slot || filledGroupSlots.value.has(slotKey(index, row))) void launchClip(index, row);
      else if (track && track.kind !== "return") void stopTrack(index);
      return true;
    case "o":
      // On an empty slot it does nothing, rather than what it does outside of the grid.
      if (slot) {
        chooseClip(slot[2]);
        tab.value = "clip";
      }
      return true;
    case "f":
      if (track?.kind !== "group") return false;
      toggleFold(track);
      return true;
    case ".":
      if (isScene) void act("svc-playback", { action: "stop-all-session-clips" });
      else void stopTrack(index);
      return true;
    case "m":
      if (track && !isScene) flipTrack(track, "mute", track.isMuted);
      return true;
    case "s":
      if (track && !isScene) flipTrack(track, "solo", track.isSoloed ?? false);
      return true;
    case "r":
      if (track && !isScene && track.isArmed !== null) flipTrack(track, "arm", track.isArmed);
      return true;
    default:
      return false;
  }
}

function move(row: number, column: number, scroller: HTMLElement): void {
  const to = {
    row: Math.max(-1, Math.min(rowCount.value - 1, row)),
    column: Math.max(0, Math.min(columnCount(), column)),
  };
  bringIntoSight(to.row, to.column, scroller);
  isMoving = true;
  focusCell(to.row, to.column);
  takeFocus(scroller);
}

/** Gives the focus to the cell that a key has moved to; called again after the render that has it in the page. */
export function takeFocus(scroller: HTMLElement | null): void {
  if (!isMoving || !scroller) return;
  const { row, column } = focused.value;
  const cell = scroller.querySelector<HTMLElement>(`[data-row="${row}"][data-column="${column}"]`);
  if (!cell) return;
  isMoving = false;
  cell.focus({ preventScroll: true });
}

function bringIntoSight(row: number, column: number, scroller: HTMLElement): void {
  const width = columnWidth.value;
  const mixer = scroller.querySelector<HTMLElement>(".mixer")?.offsetHeight ?? 0;
  const freeWidth = scroller.clientWidth - sceneWidth.value;
  const freeHeight = scroller.clientHeight - HEAD - mixer;
  if (column < columnCount()) {
    if (column * width < scroller.scrollLeft) scroller.scrollLeft = column * width;
    else if ((column + 1) * width > scroller.scrollLeft + freeWidth) scroller.scrollLeft = (column + 1) * width - freeWidth;
  }
  if (row >= 0) {
    if (row * ROW < scroller.scrollTop) scroller.scrollTop = row * ROW;
    else if ((row + 1) * ROW > scroller.scrollTop + freeHeight) scroller.scrollTop = (row + 1) * ROW - freeHeight;
  }
}
