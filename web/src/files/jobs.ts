/** Work of the device that outlasts its call: followed by events, never asked for again and again. */

import { effect, signal } from "@preact/signals";
import { callTool, Refused } from "../device/http";
import type { Job } from "../device/shapes";
import { greetings, jobs } from "../state/store";

const ENDED = ["done", "failed", "cancelled"];

export const hasEnded = (job: Job): boolean => ENDED.includes(job.state);

/** The job that a call became, if it did. */
export function jobOf(result: unknown): Job | null {
  return (result as { job?: Job } | null)?.job ?? null;
}

/** Waits for the end of a job; its answer. Why there is none is thrown in its own words. */
export async function ended(id: string): Promise<unknown> {
  for (;;) {
    const { result } = await callTool("svc-read-job", { id });
    const job = result as Job & { result?: unknown };
    if (job.state === "done") return job.result;
    if (hasEnded(job)) throw new Refused(200, job.state === "cancelled" ? "It was cancelled; nothing was changed." : (job.detail ?? "It failed."));
    await news(id);
  }
}

/** Waits until the job has ended, or all that was told may have been missed. */
function news(id: string): Promise<void> {
  const met = greetings.peek();
  return new Promise((resolve) => {
    const isOver = signal(false);
    const stop = effect(() => {
      const job = jobs.value.get(id);
      if (!isOver.peek() && ((job && hasEnded(job)) || greetings.value !== met)) {
        isOver.value = true;
        queueMicrotask(() => {
          stop();
          resolve();
        });
      }
    });
  });
}
