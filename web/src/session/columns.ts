/** Which tracks are columns of the grid, and which are folded away in their group. */

import { computed, signal } from "@preact/signals";
import type { Track } from "../device/shapes";
import { launches } from "../state/motion";
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

/** The groups that each track is in, innermost first, by its place; none of a track that is in none. */
const groupsOf = computed<ReadonlyMap<number, number[]>>(() => {
  const place = new Map(tracks.value.map((track, index) => [track.id, index]));
  const all = new Map<number, number[]>();
  tracks.value.forEach((track, index) => {
    // A group stands before its tracks, so that those around it are known by then.
    const group = track.groupId === null ? undefined : place.get(track.groupId);
    if (group !== undefined) all.set(index, [group, ...(all.get(group) ?? [])]);
  });
  return all;
});

/** Keys of the slots of groups below which there are clips. */
export const filledGroupSlots = computed<ReadonlySet<number>>(() => {
  const filled = new Set<number>();
  for (const [track, scene] of slots.value.values()) {
    for (const group of groupsOf.value.get(track) ?? []) filled.add(slotKey(group, scene));
  }
  return filled;
});

export interface GroupLaunches {
  /** Keys of the slots of groups below which a clip plays. */
  playing: ReadonlySet<number>;
  /** Those below which one waits to start. */
  waiting: ReadonlySet<number>;
  /** Groups of which a track plays, by index. */
  groups: ReadonlySet<number>;
  /** Groups of which a track waits to stop. */
  stopping: ReadonlySet<number>;
}

/** What the tracks of groups play: a group has no clips of its own. */
export const groupLaunches = computed<GroupLaunches>(() => {
  const playing = new Set<number>();
  const waiting = new Set<number>();
  const groups = new Set<number>();
  const stopping = new Set<number>();
  for (const [track, { scene }] of launches.value.playing) {
    for (const group of groupsOf.value.get(track) ?? []) {
      playing.add(slotKey(group, scene));
      groups.add(group);
    }
  }
  for (const [track, scene] of launches.value.waiting) {
    for (const group of groupsOf.value.get(track) ?? []) {
      if (scene < 0) stopping.add(group);
      else waiting.add(slotKey(group, scene));
    }
  }
  return { playing, waiting, groups, stopping };
});

export const rowCount = computed(() => view.value?.scenes.length ?? 0);
