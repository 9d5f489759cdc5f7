/**
 * The stream of `/api/events`, read by `fetch` so that a token can be shown. Of all tabs of a browser one reads it, the
 * one that has the lock, and tells the others; when it is closed, or may not read, the next one goes on after the last id
 * it knows.
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

type Message =
  | { kind: "event"; event: DeviceEvent; id: string | null }
  | { kind: "link"; state: LinkState }
  /** Who leads says how the link stands. */
  | { kind: "ask" }
  /** Who leads tries again. */
  | { kind: "retry" };

const NAME = "svc-events";
const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 4000;

let lastId: string | null = null;
let wake: (() => void) | null = null;
/** The device wants a token that this tab does not have; what other tabs may read it may not. */
let lacksToken = false;
/** Ends the stream that is read, so that it is asked for anew. */
let restart: AbortController | null = null;
let tell: (message: Message) => void = () => undefined;

/** Tries again at once, after a token was typed. */
export function reconnect(): void {
  lacksToken = false;
  tell({ kind: "ask" });
  restart?.abort();
  wake?.();
}

function rest(milliseconds: number): Promise<void> {
  return new Promise<void>((resolve) => {
    wake = resolve;
    setTimeout(resolve, milliseconds);
  });
}

export function listen(listener: Listener): void {
  const channel = "BroadcastChannel" in window ? new BroadcastChannel(NAME) : null;
  tell = (message) => channel?.postMessage(message);
  let state: LinkState = "connecting";
  let leads = false;
  let nudge: ReturnType<typeof setTimeout> | undefined;
  const own: Listener = {
    event: (event) => listener.event(event),
    link: (next) => {
      state = next;
      listener.link(next);
      // Another tab may have the token.
      if (next !== "token") tell({ kind: "link", state: next });
    },
  };
  channel?.addEventListener("message", ({ data }: MessageEvent<Message>) => {
    if (leads) {
      if (data.kind === "ask") tell({ kind: "link", state });
      if (data.kind === "retry") wake?.();
    } else if (!lacksToken && data.kind === "event") {
      lastId = data.id ?? lastId;
      listener.event(data.event);
    } else if (!lacksToken && data.kind === "link") {
      listener.link(data.state);
      clearTimeout(nudge);
      // Browsers slow down the clock of a tab that is out of sight, such as the one that leads may be.
      if (data.state === "lost") nudge = setTimeout(() => document.hidden || tell({ kind: "retry" }), LONGEST_WAIT_MS);
    }
  });
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) return;
    if (leads) wake?.();
    else tell({ kind: "retry" });
  });
  const lead = async (): Promise<void> => {
    leads = true;
    lacksToken = false;
    await readWhileAllowed(own, (event, id) => tell({ kind: "event", event, id }));
    leads = false;
    lacksToken = true;
  };
  void takeTurns(() => (navigator.locks && channel ? navigator.locks.request(NAME, lead) : lead()));
}

async function takeTurns(turn: () => Promise<void>): Promise<never> {
  for (;;) {
    tell({ kind: "ask" });
    await turn();
    await rest(LONGEST_WAIT_MS);
  }
}

type Tell = (event: DeviceEvent, id: string | null) => void;

/** Reads for ever, unless the device wants a token that this tab does not have. */
async function readWhileAllowed(listener: Listener, tellOthers: Tell): Promise<void> {
  let wait = FIRST_WAIT_MS;
  for (;;) {
    let state: LinkState = "lost";
    const begun = new AbortController();
    restart = begun;
    try {
      const more: Record<string, string> = lastId ? { "Last-Event-ID": lastId } : {};
      const response = await fetch("/api/events", { headers: headers(more), cache: "no-store", signal: begun.signal });
      if (response.status === 401) state = "token";
      else if (response.status === 503) state = "full";
      else if (response.ok && response.body) {
        wait = FIRST_WAIT_MS;
        listener.link("open");
        await readStream(response.body, listener, tellOthers);
      }
    } catch {
      // The device is gone; what to do is the same as after a stream that ended.
    }
    // With another token it is asked for at once.
    if (begun.signal.aborted) continue;
    listener.link(state);
    if (state === "token") return;
    await rest(wait);
    wait = Math.min(wait * 2, LONGEST_WAIT_MS);
  }
}

async function readStream(body: ReadableStream<Uint8Array>, listener: Listener, tellOthers: Tell): Promise<void> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  const parser = new EventParser();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    for (const { kind, id, data } of parser.take(decoder.decode(value, { stream: true }))) {
      lastId = id ?? lastId;
      const event: DeviceEvent = { kind, data: JSON.parse(data) };
      tellOthers(event, lastId);
      listener.event(event);
    }
  }
}
