/** The bars of clips that play, painted without a render. */

const bars = new Map<number, HTMLElement>();

/** Paints that bar for the clip that the track plays, until what this gives is called. */
export function paintBar(track: number, element: HTMLElement): () => void {
  bars.set(track, element);
  return () => {
    // The track's next clip may have its bar already.
    if (bars.get(track) === element) bars.delete(track);
  };
}

export function paintProgress(progress: ReadonlyMap<number, number>): void {
  for (const [track, element] of bars) element.style.transform = `scaleX(${(progress.get(track) ?? 0).toFixed(4)})`;
}
