/** Which rows and columns of a large surface are in sight, so that only those are in the page. */

import { useLayoutEffect, useRef, useState } from "preact/hooks";

export interface Size {
  column: number;
  row: number;
}

export interface Shown {
  firstColumn: number;
  lastColumn: number;
  firstRow: number;
  lastRow: number;
}

/** How many are kept beyond each edge, so that a scroll meets what is there already. */
const BEYOND = 2;

export function useShown(size: Size): { scroller: preact.RefObject<HTMLDivElement | null>; shown: Shown } {
  const scroller = useRef<HTMLDivElement>(null);
  const [shown, setShown] = useState<Shown>({ firstColumn: 0, lastColumn: 12, firstRow: 0, lastRow: 16 });
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const look = (): void => {
      const next = {
        firstColumn: Math.max(0, Math.floor(element.scrollLeft / size.column) - BEYOND),
        lastColumn: Math.ceil((element.scrollLeft + element.clientWidth) / size.column) + BEYOND,
        firstRow: Math.max(0, Math.floor(element.scrollTop / size.row) - BEYOND),
        lastRow: Math.ceil((element.scrollTop + element.clientHeight) / size.row) + BEYOND,
      };
      setShown((old) =>
        old.firstColumn === next.firstColumn &&
        old.lastColumn === next.lastColumn &&
        old.firstRow === next.firstRow &&
        old.lastRow === next.lastRow
          ? old
          : next,
      );
    };
    return whenSeenOtherwise(element, look);
  }, [size.column, size.row]);
  return { scroller, shown };
}

/** Looks now, and whenever the element is scrolled or has another size, until what this gives is called. */
export function whenSeenOtherwise(element: HTMLElement, look: () => void): () => void {
  look();
  element.addEventListener("scroll", look, { passive: true });
  const observer = new ResizeObserver(look);
  observer.observe(element);
  return () => {
    element.removeEventListener("scroll", look);
    observer.disconnect();
  };
}

/** What is in sight, and `kept`, which has the focus and would lose it if it left the page. */
export function within<T>(list: readonly T[], first: number, last: number, kept = -1): { item: T; index: number }[] {
  const shown = list.slice(first, last + 1).map((item, at) => ({ item, index: first + at }));
  const item = list[kept];
  if (item === undefined || (kept >= first && kept <= last)) return shown;
  return kept < first ? [{ item, index: kept }, ...shown] : [...shown, { item, index: kept }];
}
