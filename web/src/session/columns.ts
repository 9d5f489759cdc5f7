/** Which tracks are columns of the grid, and which are folded away in their group. */

import { computed, signal } from "@preact/signals";
import type { Track } from "../device/shapes";
import { slotKey, slots, tracks, view } from "../state/store";

export interface Column {
  track: Track;
  /** Its place in the view's list, by which slots and playback name it. */
  index: number;
}

/** Groups that were folded or unfolded here; others are as the Set has them. */
const chosen = signal<ReadonlyMap<string, boolean>>(new Map());

export function isFolded(group: Track): boolean {
  return chosen.value.get(group.id) ?? group.isFolded;
}

export function toggleFold(group: Track): void {
  chosen.value = new Map([...chosen.value, [group.id, !isFolded(group)]]);
}

/** All but the main track, whose place is below the scenes, and but what is folded away. */
export const columns = computed<Column[]>(() => {
  const hidden = new Set<string>();
  return tracks.value.flatMap((track, index) => {
    // A group stands before its tracks, so that what hides it is known by then.
    const isAway = track.groupId !== null && hidden.has(track.groupId);
    if (isAway || (track.kind === "group" && isFolded(track))) hidden.add(track.id);
    return isAway || track.kind === "main" ? [] : [{ track, index }];
  });
});

/** Keys of the slots of groups below which there are clips. */
export const filledGroupSlots = computed<ReadonlySet<number>>(() => {
  const place = new Map(tracks.value.map((track, index) => [track.id, index]));
  const filled = new Set<number>();
  if (!tracks.value.some((track) => track.kind === "group")) return filled;
  for (const [track, scene] of slots.value.values()) {
    for (let id = tracks.value[track]?.groupId ?? null; id !== null; ) {
      const group = place.get(id);
      if (group === undefined) break;
      filled.add(slotKey(group, scene));
      id = tracks.value[group]?.groupId ?? null;
    }
  }
  return filled;
});

export const rowCount = computed(() => view.value?.scenes.length ?? 0);
