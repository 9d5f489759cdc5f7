/** Sizes of the grid in pixels; the style sheet has the same as custom properties, which `session.tsx` sets. */

import { computed, signal } from "@preact/signals";
import { isLow, isNarrow } from "../parts/media";

export const ROW = 32;
export const HEAD = 40;

export const columnWidth = computed(() => (isNarrow.value ? 112 : 136));
export const sceneWidth = computed(() => (isNarrow.value ? 104 : 148));

const chosenMixer = signal<boolean | null>(null);

/** Whether strips show faders, pan and sends, or only what fits a line. */
export const mixerIsOpen = computed(() => chosenMixer.value ?? !(isNarrow.value || isLow.value));

export function toggleMixer(): void {
  chosenMixer.value = !mixerIsOpen.value;
}
