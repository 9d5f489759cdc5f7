import { signal, type ReadonlySignal } from "@preact/signals";

function matching(query: string): ReadonlySignal<boolean> {
  const list = window.matchMedia(query);
  const matches = signal(list.matches);
  list.addEventListener("change", () => (matches.value = list.matches));
  return matches;
}

/** A phone, or a window as narrow. */
export const isNarrow = matching("(max-width: 640px)");
/** Too low for a grid with a whole mixer below it. */
export const isLow = matching("(max-height: 640px)");
/** Room for a column beside the grid. */
export const isBroad = matching("(min-width: 1000px)");
/** Room for the Activity beside the Session. */
export const isWide = matching("(min-width: 1500px)");
