/** Sizes of the grid in pixels; the style sheet has the same as custom properties, which `session.tsx` sets. */

import { computed, signal } from "@preact/signals";
import { isBroad, isLow, isNarrow, isWide } from "../parts/media";
import { view } from "../state/store";
import { columns } from "./columns";

export const ROW = 32;
export const HEAD = 40;

/** How wide the Session is, with what stands beside the grid. */
export const sessionWidth = signal(0);

/** What stands beside the grid on a wide page, in the style sheet too. */
const BESIDE = 336;

export const sceneWidth = computed(() => (isNarrow.value ? 112 : 148));

/** Where all tracks fit by it, they are narrower, down to this. */
const LEAST_COLUMN = 104;
/** What the style sheet has before the first column. */
const MARGIN = 8;

export const columnWidth = computed(() => {
  const most = isNarrow.value ? 112 : 136;
  // How to begin, which goes with the first clip, moves no column.
  const room = sessionWidth.value - (isWide.value ? BESIDE : 0) - sceneWidth.value - MARGIN;
  const share = Math.floor(room / Math.max(1, columns.value.length));
  return share >= LEAST_COLUMN ? Math.min(share, most) : most;
});

/** Tracks have no room for all that they have in a wide one: names are smaller, words shorter. */
export const isTight = computed(() => columnWidth.value < 120);

const chosenMixer = signal<boolean | null>(null);

/** How to begin stands above the grid, where there is no room beside it. */
export const isTaughtAbove = computed(() => !isBroad.value && view.value?.slots.length === 0);

/** Whether strips show faders, pan and sends, or only what fits a line. */
export const mixerIsOpen = computed(() => chosenMixer.value ?? !(isNarrow.value || isLow.value || isTaughtAbove.value));

export function toggleMixer(): void {
  chosenMixer.value = !mixerIsOpen.value;
}
