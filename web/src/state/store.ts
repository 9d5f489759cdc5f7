/** What the page knows of the device, kept true by its events. */

import { batch, computed, effect, signal } from "@preact/signals";
import type { Call, Hello, Host, Job, Playback, SetEvent, Settings, SlotRow, Track, View } from "../device/shapes";
import { get, Refused, tryHanded, whenUnauthorised } from "../device/http";
import { listen, type DeviceEvent, type LinkState } from "../device/events";
import { refusedTool, withNames } from "../music/words";
import { takePlayback } from "./motion";
import { say } from "./messages";

export const view = signal<View | null>(null);
export const settings = signal<Settings | null>(null);
/** The last 200, newest first. */
export const calls = signal<Call[]>([]);
/** They were read, so that where there are none there was none. */
export const areCallsRead = signal(false);
/** Work that outlasts its call, by id, as events told of it. */
export const jobs = signal<ReadonlyMap<string, Job>>(new Map());
/** Rises whenever something that was told may have been missed. */
export const greetings = signal(0);
export const link = signal<LinkState>("connecting");
/** Ids of what somebody else has just changed. */
export const flashed = signal<ReadonlySet<string>>(new Set());
/** The clip that was changed last, for who follows. */
export const lastChangedClip = signal<string | null>(null);
/** Rises whenever something in the Set changed. */
export const changes = signal(0);

const CALLS_KEPT = 200;
const FLASH_MS = 1200;
const DIM_EVERY_MS = 150;
const RETRY_MS = 1000;
/** The device has ten under way at most. */
const JOBS_KEPT = 20;

export const host = computed<Host | null>(() => view.value?.host ?? null);
export const tracks = computed<Track[]>(() => view.value?.tracks ?? []);
export const regular = computed(() => tracks.value.filter((track) => track.kind !== "return" && track.kind !== "main"));
export const returns = computed(() => tracks.value.filter((track) => track.kind === "return"));
export const mainTrack = computed(() => tracks.value.find((track) => track.kind === "main") ?? null);

export function slotKey(track: number, scene: number): number {
  return track * 65_536 + scene;
}

export const slots = computed<Map<number, SlotRow>>(
  () => new Map((view.value?.slots ?? []).map((row) => [slotKey(row[0], row[1]), row])),
);

/** Whether a call failed because there is no device at the moment; that is told by the link, not by a message. */
export function isGone(problem: unknown): boolean {
  return problem instanceof TypeError;
}

export function explain(problem: unknown): string {
  if (isGone(problem)) return "The device does not answer. It may have been closed.";
  const text = problem instanceof Error ? problem.message : String(problem);
  const refused = refusedTool(text);
  if (refused) return refusal(refused);
  // The user has called no tool by its name.
  return inWords(text.replace(/^svc-[a-z-]+: /, ""));
}

/** Why the page may not do what needs this tool. */
function refusal(tool: string): string {
  const { availableTools = [], tools = [] } = settings.value ?? {};
  const title = availableTools.find(({ name }) => name === tool)?.title ?? tool;
  return tools.includes(tool)
    ? `This needs the tool “${title}”, which the device does not offer to this page.`
    : `This needs the tool “${title}”, which is switched off in Setup.`;
}

/** A sentence of the device with the names of tracks and scenes. */
export function inWords(text: string): string {
  return withNames(text, tracks.value, view.value?.scenes ?? []);
}

/** The step that the Set is at; steps above it are undone. */
export const currentStep = signal<number | null>(null);

let reading: Promise<void> | null = null;
let isStale = false;

/** Reads the whole view; while a read is under way, one more is made after it, however often it is asked for. */
export function readView(): Promise<void> {
  if (reading) {
    isStale = true;
    return reading;
  }
  reading = readAgainWhileStale().finally(() => {
    reading = null;
  });
  return reading;
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

async function readAgainWhileStale(): Promise<void> {
  do {
    isStale = false;
    const began = performance.now();
    try {
      const next = await get<View>("/api/view");
      batch(() => {
        view.value = next;
        currentStep.value = next.song?.historyStep ?? null;
        changes.value += 1;
      });
      if (next.playback) takePlayback(next.playback);
    } catch (problem) {
      // A device that is gone has all read anew when it is back; one that is only busy is asked again.
      if (link.peek() !== "open" || (problem instanceof Refused && problem.status < 500)) return;
      isStale = true;
      await pause(RETRY_MS);
    }
    // A large Set that is changed all the time leaves the browser half of its time.
    if (isStale) await pause(performance.now() - began);
  } while (isStale);
}

async function readSettings(): Promise<void> {
  settings.value = await get<Settings>("/config");
}

async function readCalls(): Promise<void> {
  const { calls: read } = await get<{ calls: Call[] }>("/api/calls");
  batch(() => {
    calls.value = read;
    areCallsRead.value = true;
  });
}

export async function readAll(): Promise<void> {
  await Promise.all([readView(), readSettings().catch(() => undefined), readCalls().catch(() => undefined)]);
}

/** Until when what was changed is lit. */
const litUntil = new Map<string, number>();
let dimming: ReturnType<typeof setTimeout> | undefined;

function flash(ids: string[]): void {
  if (!ids.length) return;
  for (const id of ids) litUntil.set(id, performance.now() + FLASH_MS);
  flashed.value = new Set(litUntil.keys());
  dimming ??= setTimeout(dim, FLASH_MS);
}

/** One timer for all: a script may change a thousand things a second. */
function dim(): void {
  const now = performance.now();
  for (const [id, until] of litUntil) if (until <= now) litUntil.delete(id);
  flashed.value = new Set(litUntil.keys());
  dimming = litUntil.size ? setTimeout(dim, DIM_EVERY_MS) : undefined;
}

function takeSet(event: SetEvent): void {
  const clips = event.changed.filter((object) => object.class === "clip" && object.kind !== "deleted");
  const clip = clips.at(-1);
  if (clip) lastChangedClip.value = clip.id;
  // What one does oneself one has seen.
  const isOwn = event.who === "page";
  void readView().then(() => {
    if (!isOwn) flash(event.changed.map((object) => object.id));
  });
}

let instance: string | null = null;

/** Another device may be at the same revision: after a restart all is read anew. */
function takeHello(hello: Hello): void {
  const isAnother = instance !== null && hello.instance !== instance;
  if (isAnother) jobs.value = new Map();
  greetings.value += 1;
  instance = hello.instance;
  if (isAnother || hello.gap || hello.revision !== view.value?.revision) void readAll();
}

/** One that has ended is kept for who waits for it; its answer is read by its id. */
function takeJob(job: Job): void {
  const known = new Map(jobs.value);
  known.delete(job.id);
  known.set(job.id, job);
  while (known.size > JOBS_KEPT) known.delete(known.keys().next().value ?? "");
  jobs.value = known;
}

function takeEvent({ kind, data }: DeviceEvent): void {
  switch (kind) {
    case "hello":
      takeHello(data as Hello);
      break;
    case "gap":
      greetings.value += 1;
      void readAll();
      break;
    case "set":
      takeSet(data as SetEvent);
      break;
    case "playback":
      takePlayback(data as Playback);
      break;
    case "call":
      // Where the song starts is no part of the Set, and so no change of it.
      if ((data as Call).tool === "svc-playback" && (data as Call).arguments?.["startTime"] !== undefined) void readView();
      // The view that has it too comes a little later.
      currentStep.value = (data as Call).historyStep ?? currentStep.value;
      calls.value = [data as Call, ...calls.value.filter((call) => call.id !== (data as Call).id)].slice(0, CALLS_KEPT);
      break;
    case "job":
      takeJob(data as Job);
      break;
    case "settings":
      settings.value = data as Settings;
      // Another host has another Set.
      if (settings.value.host?.kind !== undefined && settings.value.host.kind !== host.value?.kind) void readView();
      break;
    case "log":
      say((data as { text: string }).text, "warning");
      break;
  }
}

/** The port that the device was told to listen on while this page was open. */
export const movedTo = signal<number | null>(null);
let known: Settings | null = null;

effect(() => {
  const now = settings.value;
  if (now && known && now.instance === known.instance && now.port !== known.port) movedTo.value = now.port;
  if (now && now.instance !== known?.instance) movedTo.value = null;
  known = now ?? known;
});

/** Whether it is asked for a token, which says more than a message does. */
export function isUnauthorised(problem: unknown): boolean {
  return problem instanceof Refused && problem.status === 401;
}

export function start(): void {
  whenUnauthorised(() => {
    link.value = "token";
  });
  void begin();
}

async function begin(): Promise<void> {
  await tryHanded();
  listen({
    event: takeEvent,
    link: (state) => {
      link.value = state;
    },
  });
  await readAll();
}
