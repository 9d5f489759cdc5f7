/** The last call and whether the device answers, always in sight. */

import { handover } from "../device/http";
import { act } from "../state/acts";
import { areCallsRead, calls, jobs, link, movedTo } from "../state/store";
import { step } from "../files/task";
import { hasEnded } from "../files/jobs";
import { tab } from "../state/tab";
import { clock, isOwnQuestion, remarkWord, shownLine } from "./call_text";

const LINK_WORDS = {
  connecting: "Connecting…",
  open: "Connected",
  lost: "The device does not answer; trying again",
  token: "The device wants its token",
  full: "Too many readers: 16 are connected",
} as const;

/**
 * A device whose port was changed answers at another address, which is another page. Whether it could have that port,
 * this page cannot ask: it talks to its own address alone.
 */
function MovedPort(): preact.JSX.Element | null {
  const port = movedTo.value;
  if (link.value !== "lost" || port === null || String(port) === location.port) return null;
  return (
    <span class="moved">
      <span class="wide">The device was told to listen on port {port}.</span>{" "}
      <a href={`http://${location.hostname}:${port}/${handover(tab.value)}`}>Open it on port {port}</a>
    </span>
  );
}

/** What is at work on the device, whoever asked for it. */
function JobLine(): preact.JSX.Element | null {
  const running = [...jobs.value.values()].filter((job) => !hasEnded(job));
  const job = running[0];
  // The dialog shows its own.
  if (!job || (step.value.kind === "working" && step.value.job === job.id) || link.value !== "open") return null;
  const { done, total, text } = job.progress ?? { done: 0, text: job.title };
  return (
    <span class="job">
      <progress aria-label={job.title} max={total ?? 1} {...(total !== undefined && { value: done })} />
      <span class="wide">{running.length > 1 ? `${text}; ${running.length - 1} more` : text}</span>
      <button
        type="button"
        class="button"
        aria-label={`Cancel ${job.title}`}
        onClick={() => void act("svc-manage", { action: "cancel", id: job.id })}
      >
        Cancel
      </button>
    </span>
  );
}

export function StatusBar(): preact.JSX.Element {
  const call = calls.value.find((each) => !isOwnQuestion(each));
  const state = link.value;
  const remarks = call ? remarkWord(call) : null;
  return (
    <footer class="status">
      <button
        type="button"
        class="last-call"
        onClick={() => (tab.value = "activity")}
        title="Open Activity"
      >
        {call ? (
          <>
            <span class="visually-hidden">Last call:</span>
            <span class="quiet wide">{clock(call.at)}</span>
            <span class={`via via-${call.via}`}>{call.client}</span>
            <span class="quiet tool wide">{call.tool}</span>
            {remarks && <span class="warn">{remarks}</span>}
            <span class={call.isError ? "line warn" : "line"}>{shownLine(call.line)}</span>
          </>
        ) : areCallsRead.value && (
          <span class="quiet">No call yet. What scripts and agents do appears here.</span>
        )}
      </button>
      <JobLine />
      <MovedPort />
      <span class={`link link-${state}`} role="status">
        <i aria-hidden="true" />
        <span class={state === "open" ? "wide" : ""}>{LINK_WORDS[state]}</span>
      </span>
    </footer>
  );
}
