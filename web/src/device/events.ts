/**
 * The stream of `/api/events`, read by `fetch` so that a token can be shown. Of all tabs of a browser one reads it, the
 * one that has the lock, and tells the others; when it is closed the next one goes on after the last id it knows.
 */

import { EventParser } from "./event_parser";
import { headers } from "./http";

export interface DeviceEvent {
  kind: string;
  data: unknown;
}

export type LinkState = "connecting" | "open" | "lost" | "token" | "full";

export interface Listener {
  event(event: DeviceEvent): void;
  link(state: LinkState): void;
}

type Message = { kind: "event"; event: DeviceEvent; id: string | null } | { kind: "link"; state: LinkState } | { kind: "ask" };

const NAME = "svc-events";
const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 4000;

let lastId: string | null = null;
let wake: (() => void) | null = null;

/** Tries again at once, such as after a token was typed. */
export function reconnect(): void {
  wake?.();
}

export function listen(listener: Listener): void {
  const channel = "BroadcastChannel" in window ? new BroadcastChannel(NAME) : null;
  let state: LinkState = "connecting";
  let leads = false;
  const tell = (message: Message): void => channel?.postMessage(message);
  const own: Listener = {
    event: (event) => listener.event(event),
    link: (next) => {
      state = next;
      listener.link(next);
      tell({ kind: "link", state: next });
    },
  };
  channel?.addEventListener("message", ({ data }: MessageEvent<Message>) => {
    if (data.kind === "ask") {
      if (leads) tell({ kind: "link", state });
    } else if (leads) {
      return;
    } else if (data.kind === "link") {
      listener.link(data.state);
    } else {
      lastId = data.id ?? lastId;
      listener.event(data.event);
    }
  });
  const lead = (): Promise<void> => {
    leads = true;
    return readForEver(own, (event, id) => tell({ kind: "event", event, id }));
  };
  if (navigator.locks && channel) {
    tell({ kind: "ask" });
    void navigator.locks.request(NAME, lead);
  } else {
    void lead();
  }
}

type Tell = (event: DeviceEvent, id: string | null) => void;

async function readForEver(listener: Listener, tell: Tell): Promise<void> {
  let wait = FIRST_WAIT_MS;
  for (;;) {
    let state: LinkState = "lost";
    try {
      const more: Record<string, string> = lastId ? { "Last-Event-ID": lastId } : {};
      const response = await fetch("/api/events", { headers: headers(more), cache: "no-store" });
      if (response.status === 401) state = "token";
      else if (response.status === 503) state = "full";
      else if (response.ok && response.body) {
        wait = FIRST_WAIT_MS;
        listener.link("open");
        await readStream(response.body, listener, tell);
      }
    } catch {
      // The device is gone; what to do is the same as after a stream that ended.
    }
    listener.link(state);
    await new Promise<void>((resolve) => {
      wake = resolve;
      setTimeout(resolve, wait);
    });
    wait = Math.min(wait * 2, LONGEST_WAIT_MS);
  }
}

async function readStream(body: ReadableStream<Uint8Array>, listener: Listener, tell: Tell): Promise<void> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  const parser = new EventParser();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    for (const { kind, id, data } of parser.take(decoder.decode(value, { stream: true }))) {
      lastId = id ?? lastId;
      const event: DeviceEvent = { kind, data: JSON.parse(data) };
      tell(event, lastId);
      listener.event(event);
    }
  }
}
