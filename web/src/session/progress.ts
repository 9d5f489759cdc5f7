/** The bars of clips that play, painted without a render. */

const bars = new Map<number, HTMLElement>();

export function setBar(track: number, element: HTMLElement | null): void {
  if (element) bars.set(track, element);
  else bars.delete(track);
}

export function paintProgress(progress: ReadonlyMap<number, number>): void {
  for (const [track, element] of bars) element.style.transform = `scaleX(${(progress.get(track) ?? 0).toFixed(4)})`;
}
