/** Files that are dropped anywhere on the page; a sample on a slot goes into it. */

import { signal } from "@preact/signals";
import { columns } from "../session/columns";
import { say } from "../state/messages";
import type { Slot } from "./samples";
import { take } from "./task";

/** Whether files are held over the page. */
export const isOver = signal(false);

const MARK = "drop";
let marked: HTMLElement | null = null;

function bringsFiles(event: DragEvent): boolean {
  return event.dataTransfer?.types.includes("Files") ?? false;
}

function cellUnder(event: DragEvent): HTMLElement | null {
  return (event.target as Element | null)?.closest<HTMLElement>('[role="gridcell"][data-row]') ?? null;
}

function slotOf(cell: HTMLElement | null): Slot | null {
  const track = columns.value[Number(cell?.dataset["column"])]?.index;
  return cell && track !== undefined ? { track, scene: Number(cell.dataset["row"]) } : null;
}

function mark(cell: HTMLElement | null): void {
  if (cell === marked) return;
  delete marked?.dataset[MARK];
  marked = cell;
  if (cell) cell.dataset[MARK] = "";
}

function leave(): void {
  isOver.value = false;
  mark(null);
}

export function listenForDrops(): () => void {
  const listeners: [string, (event: DragEvent) => void][] = [
    [
      "dragover",
      (event) => {
        if (!bringsFiles(event)) return;
        // Without it the browser opens the file in place of the page.
        event.preventDefault();
        if (event.dataTransfer) event.dataTransfer.dropEffect = "copy";
        isOver.value = true;
        mark(cellUnder(event));
      },
    ],
    ["dragleave", (event) => event.relatedTarget === null && leave()],
    [
      "drop",
      (event) => {
        if (!bringsFiles(event)) return;
        event.preventDefault();
        const slot = slotOf(cellUnder(event));
        leave();
        const items = [...(event.dataTransfer?.items ?? [])];
        if (items.some((item) => item.webkitGetAsEntry?.()?.isDirectory)) {
          say("That is a folder: drop the .als in it, or its samples.", "warning");
          return;
        }
        void take([...(event.dataTransfer?.files ?? [])], slot);
      },
    ],
  ];
  for (const [name, listener] of listeners) window.addEventListener(name, listener as EventListener);
  return () => {
    for (const [name, listener] of listeners) window.removeEventListener(name, listener as EventListener);
  };
}
