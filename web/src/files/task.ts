/** One file at a time: sent, worked on, and what came of it. */

import { computed, signal } from "@preact/signals";
import { callTool, Refused } from "../device/http";
import { explain, isGone, jobs, readView, view } from "../state/store";
import { say } from "../state/messages";
import { ended, jobOf } from "./jobs";
import { faultOfTrack, placeSamples, type Slot } from "./samples";
import { size, toldOf, type Told } from "./told";
import { Cancelled, download, endingOf, readRules, send, type FileRules } from "./transfer";

export type Step =
  | { kind: "closed" }
  | { kind: "choose" }
  /** A Set: to be opened, or imported? */
  | { kind: "set"; file: File }
  /** Samples: into which slot? Why others are not taken (`refused`), why these not where they were dropped (`about`). */
  | { kind: "samples"; files: File[]; refused: string[]; about?: { text: string; scene: number } }
  | { kind: "sending"; name: string; sent: number; bytes: number }
  | { kind: "working"; title: string; job: string | null }
  | { kind: "told"; title: string; told: Told; isRefusal: boolean; again: (() => void) | null };

export const step = signal<Step>({ kind: "closed" });
export const isBusy = computed(() => step.value.kind === "sending" || step.value.kind === "working");

/** Ends what is under way before it is a job. */
let stop = new AbortController();

const KEPT_JOB = "svc-job";
/** What a reload needs to know of a job. */
interface KeptJob {
  id: string;
  done: string;
  name: string;
  /** The file that the device writes, where the user wants it. */
  onDevice: string | null;
}

export function openFiles(): void {
  if (!isBusy.value) step.value = { kind: "choose" };
}

export function close(): void {
  if (!isBusy.value) step.value = { kind: "closed" };
}

export function cancel(): void {
  const now = step.value;
  if (now.kind === "working" && now.job) {
    void callTool("svc-manage", { action: "cancel", id: now.job }).catch((problem) => say(explain(problem), "warning"));
  } else {
    stop.abort();
  }
}

/** Takes files that were dropped or chosen; `slot` is where they were dropped. */
export async function take(files: File[], slot: Slot | null): Promise<void> {
  const first = files[0];
  if (!first) return;
  if (isBusy.value) {
    say("One at a time: wait until the file before it is done, or cancel that.", "warning");
    return;
  }
  try {
    const rules = await readRules();
    const faults = files.flatMap((file) => faultOf(file, rules) ?? []);
    const good = files.filter((file) => faultOf(file, rules) === null);
    if (!good.length) return refuse(faults.join("\n"));
    if (rules.setEndings.includes(endingOf(first.name))) {
      if (files.length > 1) return refuse("Drop one Set at a time, or samples alone.");
      step.value = { kind: "set", file: first };
    } else if (files.some((file) => rules.setEndings.includes(endingOf(file.name)))) {
      refuse("Drop one Set at a time, or samples alone.");
    } else if (slot) {
      const text = faultOfTrack(slot.track);
      if (text === null) await addSamples(good, slot, faults);
      else step.value = { kind: "samples", files: good, refused: faults, about: { text, scene: slot.scene } };
    } else {
      step.value = { kind: "samples", files: good, refused: faults };
    }
  } catch (problem) {
    refuse(explain(problem), () => void take(files, slot));
  }
}

function faultOf(file: File, rules: FileRules): string | null {
  const known = [...rules.setEndings, ...rules.sampleEndings];
  if (!known.includes(endingOf(file.name))) {
    return `${file.name} is nothing that can be used here: drop ${known.map((ending) => `.${ending}`).join(", ")}.`;
  }
  if (file.size === 0) return `${file.name} is empty.`;
  return file.size > rules.maxBytes ? `${file.name} has ${size(file.size)}; at most ${size(rules.maxBytes)} are taken.` : null;
}

function refuse(why: string, again: (() => void) | null = null): void {
  step.value = { kind: "told", title: "That did not work", told: { sentences: why.split("\n"), missing: [] }, isRefusal: true, again };
}

/** Does it, and says what came of it. */
async function carryOut(work: () => Promise<Told>, title: string, again: (problem: unknown) => (() => void) | null): Promise<void> {
  stop = new AbortController();
  try {
    const told = await work();
    sessionStorage.removeItem(KEPT_JOB);
    step.value = { kind: "told", title, told, isRefusal: false, again: null };
  } catch (problem) {
    sessionStorage.removeItem(KEPT_JOB);
    const isAborted = problem instanceof Cancelled || (problem instanceof DOMException && problem.name === "AbortError");
    const why = isAborted
      ? "It was cancelled; nothing was changed."
      : isGone(problem)
        ? "The device went away before all of the file was there. Nothing of it was kept."
        : explain(problem);
    refuse(why, again(problem));
  }
}

async function sent(file: File): Promise<string> {
  step.value = { kind: "sending", name: file.name, sent: 0, bytes: file.size };
  const arrived = await send(
    file,
    (bytes) => (step.value = { kind: "sending", name: file.name, sent: bytes, bytes: file.size }),
    stop.signal,
  );
  return arrived.file;
}

/** Calls the tool, and waits for the job that it becomes. */
async function worked(args: Record<string, unknown>, title: string, kept: Omit<KeptJob, "id">): Promise<{ result: unknown; warnings: string[] }> {
  step.value = { kind: "working", title, job: null };
  const { result, warnings } = await callTool("svc-manage", args);
  const job = jobOf(result);
  if (!job) return { result, warnings };
  // An event may have told of its end before this answer was read.
  if (!jobs.value.has(job.id)) jobs.value = new Map(jobs.value).set(job.id, job);
  return { result: await followed({ ...kept, id: job.id }, title), warnings };
}

async function followed(kept: KeptJob, title: string): Promise<unknown> {
  sessionStorage.setItem(KEPT_JOB, JSON.stringify(kept));
  step.value = { kind: "working", title, job: kept.id };
  return ended(kept.id);
}

export function takeSet(file: File, action: "open" | "import"): Promise<void> {
  const [done, doing] = action === "open" ? ["Opened", "Opening"] : ["Imported", "Importing"];
  const work = async (): Promise<Told> => {
    const onDisk = await sent(file);
    const kept = { done, name: file.name, onDevice: null };
    const { result, warnings } = await worked({ action, file: onDisk }, `${doing} ${file.name}`, kept);
    await readView();
    return toldOf(done, file.name, result, warnings);
  };
  return carryOut(work, done, () => () => void takeSet(file, action));
}

/** Into the slot and those below it; `refused` says of others why they are not taken. */
export async function addSamples(files: File[], slot: Slot, refused: string[] = []): Promise<void> {
  let left: { files: File[]; slot: Slot } | null = null;
  const work = async (): Promise<Told> => {
    const outcome = await placeSamples(files, slot, refused, async (file) => {
      const onDisk = await sent(file);
      step.value = { kind: "working", title: `Adding ${file.name}`, job: null };
      return onDisk;
    });
    left = outcome.left;
    return outcome.told;
  };
  // What the device has refused it refuses again.
  await carryOut(work, "Added", (problem) => (problem instanceof Refused ? null : () => void addSamples(files, slot, refused)));
  const now = step.value;
  const rest = left as { files: File[]; slot: Slot } | null;
  if (rest && now.kind === "told") step.value = { ...now, again: () => void addSamples(rest.files, rest.slot) };
}

/** Writes the Set on the device and fetches it. */
export function saveAs(typed: string): Promise<void> {
  const stem = typed.trim().replace(/\.svcset$/i, "") || view.value?.song?.name || "Untitled";
  const name = `${stem}.svcset`;
  const work = async (): Promise<Told> => {
    const { folder } = await readRules();
    // The user's name is for the user's disk; on the device's no other tab may meet it.
    const onDevice = `page-${crypto.randomUUID().slice(0, 13)}.svcset`;
    const file = folder + (folder.includes("\\") ? "\\" : "/") + onDevice;
    const { result, warnings } = await worked({ action: "save", file }, `Saving ${name}`, { done: "Saved", name, onDevice });
    await download(onDevice, name, stop.signal);
    return toldOf("Saved", name, result, warnings);
  };
  return carryOut(work, "Saved", () => () => void saveAs(typed));
}

/** After a reload: goes on with the job that this tab waited for. */
export function resume(): void {
  const text = sessionStorage.getItem(KEPT_JOB);
  if (!text) return;
  const kept = JSON.parse(text) as KeptJob;
  const work = async (): Promise<Told> => {
    const result = await followed(kept, `${kept.name}: still at work`);
    if (kept.onDevice) await download(kept.onDevice, kept.name, stop.signal);
    await readView();
    return toldOf(kept.done, kept.name, result, []);
  };
  void carryOut(work, kept.done, () => resume);
}
