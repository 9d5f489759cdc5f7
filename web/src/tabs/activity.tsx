/** The last 200 calls, newest first: who, what it did, and the way back. */

import { computed, signal } from "@preact/signals";
import type { Call } from "../device/shapes";
import { undoFrom } from "../state/acts";
import { areCallsRead, calls, currentStep, settings } from "../state/store";
import { clock, isOwnQuestion, shownLine } from "../parts/call_text";
import { isForCallers } from "../music/words";
import { copy } from "../parts/copy_line";
import { Connect } from "../session/teach";

/** What pages only ask is left out until somebody wants it. */
const listsQuestions = signal(false);
const told = computed(() => calls.value.filter((call) => !isOwnQuestion(call)));

export function ActivityTab(): preact.JSX.Element {
  return (
    <section class="activity" aria-label="Calls">
      {!areCallsRead.value && calls.value.length === 0 ? (
        <p class="quiet pad">Reading the calls…</p>
      ) : told.value.length === 0 && !listsQuestions.value ? (
        <div class="card narrow">
          <h2>No call yet</h2>
          <p>Every call of a script, an assistant, the window or this page is listed here, with a way to undo it.</p>
          <Connect />
        </div>
      ) : (
        <CallList />
      )}
    </section>
  );
}

export function CallList({ isShort }: { isShort?: boolean }): preact.JSX.Element {
  const questions = calls.value.length - told.value.length;
  const listed = listsQuestions.value && !isShort ? calls.value : told.value;
  return (
    <ol class={`calls${isShort ? " short" : ""}`} tabIndex={0} aria-label="Calls, newest first">
      {listed.length === 0 && <li class="empty">Nothing yet.</li>}
      {listed.map((call) => (
        <CallRow key={call.id} call={call} isShort={isShort ?? false} />
      ))}
      {questions > 0 && !isShort && (
        <li class="questions">
          <button type="button" class="button" aria-pressed={listsQuestions.value} onClick={() => (listsQuestions.value = !listsQuestions.value)}>
            {listsQuestions.value ? "Leave out what pages asked" : `List what pages asked, too (${questions})`}
          </button>
        </li>
      )}
    </ol>
  );
}

function CallRow({ call, isShort }: { call: Call; isShort: boolean }): preact.JSX.Element {
  const remarks = [...call.warnings.filter((text) => !isForCallers(text)), ...(call.isDryRun ? ["dry run: nothing was kept"] : [])];
  const isUndone = call.historyStep !== null && currentStep.value !== null && call.historyStep > currentStep.value;
  return (
    <li class={`call${call.isError || call.status !== 200 ? " failed" : ""}${isUndone ? " undone" : ""}`}>
      <time class="quiet" dateTime={call.at}>
        {clock(call.at)}
      </time>
      <span class={`client via-${call.via}`} title={`over ${call.via}`}>
        {call.client}
      </span>
      <span class="tool quiet">{call.tool}</span>
      <span class="line">
        <span class="did">{call.line ? shownLine(call.line) : "nothing changed"}</span>
        {isUndone && <span class="remark">undone</span>}
        {remarks.map((remark) => (
          <span key={remark} class="remark">
            {remark}
          </span>
        ))}
      </span>
      {!isShort && (
        <>
          <span class="ms quiet">{milliseconds(call.milliseconds)}</span>
          <span class="actions">
            <button type="button" class="button" onClick={() => void copy(asCurl(call))}>
              Copy as curl<span class="visually-hidden"> call {call.id}</span>
            </button>
            {call.historyStep !== null && !isUndone && (
              <button
                type="button"
                class="button"
                title="Undo this call and all that came after it; Redo brings them back"
                onClick={() => void undoFrom(call.historyStep ?? 0)}
              >
                Undo from here<span class="visually-hidden"> at call {call.id}</span>
              </button>
            )}
          </span>
        </>
      )}
    </li>
  );
}

function milliseconds(ms: number): string {
  return ms >= 1000 ? `${(ms / 1000).toFixed(1)} s` : `${ms >= 10 ? Math.round(ms) : ms.toFixed(1)} ms`;
}

/** As one would type it into a shell. A token is not in it: who has one knows where it lies. */
export function asCurl(call: Call): string {
  const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
  const body = call.arguments ? JSON.stringify(call.arguments) : `${call.argumentsCut ?? ""}…`;
  const token = settings.value?.tokenRequired ? ` -H "Authorization: Bearer $SVC_TOKEN"` : "";
  return `curl -s ${location.origin}/api/tools/${call.tool} -H 'Content-Type: application/json'${token} -d ${quoted(body)}`;
}
