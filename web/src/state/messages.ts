/** Sentences for the user that come and go: what a call could not do, what was copied. */

import { signal } from "@preact/signals";

export type Tone = "info" | "warning";

export interface Message {
  id: number;
  text: string;
  tone: Tone;
}

export const messages = signal<Message[]>([]);

const SHOWN_MS = 6000;
/** Of what only says that a click has worked. */
export const BRIEFLY_MS = 2000;
const AT_MOST = 3;
let last = 0;

export function say(text: string, tone: Tone = "info", shownMs = SHOWN_MS): void {
  last += 1;
  const id = last;
  messages.value = [...messages.value.filter((message) => message.text !== text), { id, text, tone }].slice(-AT_MOST);
  setTimeout(() => dismiss(id), shownMs);
}

export function dismiss(id: number): void {
  messages.value = messages.value.filter((message) => message.id !== id);
}
