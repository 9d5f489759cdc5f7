/** A canvas that fills its scroller's window and is drawn again when that is scrolled, resized or lit otherwise. */

import { useEffect, useRef, useState } from "preact/hooks";

export interface Surface {
  context: CanvasRenderingContext2D;
  width: number;
  height: number;
  /** What is scrolled away at the left and at the top. */
  x: number;
  y: number;
  color: (name: string) => string;
}

/** The inner size of an element, followed. */
export function useSize(element: preact.RefObject<HTMLElement | null>): { width: number; height: number } {
  const [size, setSize] = useState({ width: 800, height: 400 });
  useEffect(() => {
    const box = element.current;
    if (!box) return undefined;
    const look = (): void =>
      setSize((old) =>
        old.width === box.clientWidth && old.height === box.clientHeight
          ? old
          : { width: box.clientWidth, height: box.clientHeight },
      );
    const observer = new ResizeObserver(look);
    observer.observe(box);
    look();
    return () => observer.disconnect();
  }, [element]);
  return size;
}

export function useSurface(
  scroller: preact.RefObject<HTMLDivElement | null>,
  draw: (surface: Surface) => void,
): preact.RefObject<HTMLCanvasElement | null> {
  const canvas = useRef<HTMLCanvasElement>(null);
  const newest = useRef(draw);
  newest.current = draw;
  const redraw = useRef(() => undefined as void);
  useEffect(() => {
    const box = scroller.current;
    const element = canvas.current;
    const context = element?.getContext("2d");
    if (!box || !element || !context) return undefined;
    let isScheduled = false;
    const paint = (): void => {
      isScheduled = false;
      const ratio = window.devicePixelRatio || 1;
      const { clientWidth: width, clientHeight: height } = box;
      if (element.width !== Math.round(width * ratio) || element.height !== Math.round(height * ratio)) {
        element.width = Math.round(width * ratio);
        element.height = Math.round(height * ratio);
        element.style.width = `${width}px`;
        element.style.height = `${height}px`;
      }
      context.setTransform(ratio, 0, 0, ratio, 0, 0);
      context.clearRect(0, 0, width, height);
      const style = getComputedStyle(element);
      const color = (name: string): string => style.getPropertyValue(name).trim();
      context.font = `12px ${style.fontFamily}`;
      newest.current({ context, width, height, x: box.scrollLeft, y: box.scrollTop, color });
    };
    const schedule = (): void => {
      if (isScheduled) return;
      isScheduled = true;
      requestAnimationFrame(paint);
    };
    redraw.current = schedule;
    schedule();
    box.addEventListener("scroll", schedule, { passive: true });
    const observer = new ResizeObserver(schedule);
    observer.observe(box);
    const dark = window.matchMedia("(prefers-color-scheme: dark)");
    dark.addEventListener("change", schedule);
    return () => {
      box.removeEventListener("scroll", schedule);
      observer.disconnect();
      dark.removeEventListener("change", schedule);
    };
  }, []);
  useEffect(() => redraw.current());
  return canvas;
}
