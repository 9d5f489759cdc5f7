/** Which scenes play: all of their clips, some of them, or those that wait to start. */

import { computed } from "@preact/signals";
import { launches, type Launches } from "../state/motion";
import { slots } from "../state/store";

export type SceneState = "playing" | "partly" | "waiting";

export const SCENE_WORDS: Record<SceneState, string> = {
  playing: ", playing",
  partly: ", partly playing",
  waiting: ", waiting to start",
};

interface Clip {
  track: number;
  isOff: boolean;
}

const clipsOf = computed<ReadonlyMap<number, Clip[]>>(() => {
  const all = new Map<number, Clip[]>();
  for (const [track, scene, , , , , , , isOff] of slots.value.values()) {
    const clips = all.get(scene);
    if (clips) clips.push({ track, isOff });
    else all.set(scene, [{ track, isOff }]);
  }
  return all;
});

/** Of the scenes of which a clip plays or waits; the others are still. */
export const sceneStates = computed<ReadonlyMap<number, SceneState>>(() => statesOf(clipsOf.value, launches.value));

/** What is switched off does not count unless it plays. A scene waits when all that it brings does, and something does. */
export function statesOf(clips: ReadonlyMap<number, readonly Clip[]>, { playing, waiting }: Launches): ReadonlyMap<number, SceneState> {
  const states = new Map<number, SceneState>();
  const scenes = new Set([...waiting.values(), ...[...playing.values()].map(({ scene }) => scene)]);
  for (const scene of scenes) {
    const counts = { all: 0, playing: 0, waiting: 0 };
    for (const { track, isOff } of clips.get(scene) ?? []) {
      const waits = waiting.get(track) === scene;
      const plays = !waits && playing.get(track)?.scene === scene;
      if (isOff && !waits && !plays) continue;
      counts.all += 1;
      counts.waiting += Number(waits);
      counts.playing += Number(plays);
    }
    if (counts.waiting && counts.waiting + counts.playing === counts.all) states.set(scene, "waiting");
    else if (counts.playing) states.set(scene, counts.playing === counts.all ? "playing" : "partly");
  }
  return states;
}
