/** The last 200 calls, newest first: who, what it did, and the way back. */

import { computed, signal } from "@preact/signals";
import { useRef, useState } from "preact/hooks";
import type { Call } from "../device/shapes";
import { undoFrom } from "../state/acts";
import { areCallsRead, calls, currentStep, settings } from "../state/store";
import { clock, isOwnQuestion, remarksOf, shownLine } from "../parts/call_text";
import { copy } from "../parts/copy_line";
import { Connect } from "../session/teach";

/** What pages only ask is left out until somebody wants it. */
const listsQuestions = signal(false);
const told = computed(() => calls.value.filter((call) => !isOwnQuestion(call)));

/** Calls whose steps were undone before another change took their place: nobody can redo them. */
const gone = computed(() => {
  const ids = new Set<number>();
  const gestures = new Set<string>();
  let lowest = Infinity;
  for (const call of calls.value) {
    if (call.historyStep === null) continue;
    const gesture = call.gesture ? `${call.client} ${call.gesture}` : null;
    // Earlier calls of a gesture are in its last one's step.
    if (gesture && gestures.has(gesture)) continue;
    if (lowest < call.historyStep) {
      ids.add(call.id);
      continue;
    }
    if (gesture) gestures.add(gesture);
    lowest = Math.min(lowest, call.followsStep ?? Infinity);
  }
  return ids;
});

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

/** What was done in one go: a call, or the calls of one gesture, newest first. */
interface Deed {
  call: Call;
  count: number;
  /** The oldest, by which it is known while more come. */
  first: Call;
}

function deedsOf(list: readonly Call[]): Deed[] {
  const deeds: Deed[] = [];
  for (const call of list) {
    const last = deeds.at(-1);
    const isSame = last && call.gesture && call.gesture === last.call.gesture && call.client === last.call.client && call.tool === last.call.tool;
    // What was refused says so in a row of its own.
    if (isSame && call.isError === last.call.isError) deeds[deeds.length - 1] = { ...last, count: last.count + 1, first: call };
    else deeds.push({ call, count: 1, first: call });
  }
  return deeds;
}

export function CallList({ isShort }: { isShort?: boolean }): preact.JSX.Element {
  const area = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLOListElement>(null);
  const [held, setHeld] = useState<readonly Call[] | null>(null);
  const isOver = useRef(false);
  const questions = calls.value.length - told.value.length;
  const now = listsQuestions.value && !isShort ? calls.value : told.value;
  const listed = held ?? now;
  const newest = listed[0]?.id ?? 0;
  const waiting = deedsOf(now.filter((call) => call.id > newest)).length;
  // What somebody points at or has the focus on stays where it is, whoever calls meanwhile.
  const hold = (): void => setHeld((before) => before ?? now);
  const release = (): void => {
    if (!isOver.current && !area.current?.contains(document.activeElement)) setHeld(null);
  };
  const showNew = (event: MouseEvent): void => {
    setHeld(now);
    list.current?.scrollTo({ top: 0 });
    // The button goes; who came by keys goes on from the list.
    if (event.detail === 0) list.current?.focus({ preventScroll: true });
  };
  const toggleQuestions = (): void => {
    listsQuestions.value = !listsQuestions.value;
    setHeld(null);
  };
  return (
    <div
      ref={area}
      class={`call-list${isShort ? " short" : ""}`}
      onPointerEnter={(event) => {
        isOver.current = event.pointerType === "mouse";
        if (isOver.current) hold();
      }}
      onPointerLeave={() => {
        isOver.current = false;
        release();
      }}
      onFocusIn={hold}
      onFocusOut={(event) => {
        if (!area.current?.contains(event.relatedTarget as Node | null) && !isOver.current) setHeld(null);
      }}
    >
      <div class="calls-head">
        {isShort ? <h2>What was done</h2> : <span class="quiet">Newest first</span>}
        <span role="status">
          {waiting > 0 && (
            <button type="button" class="button new-calls" onClick={showNew}>
              {waiting} new {waiting === 1 ? "call" : "calls"}
            </button>
          )}
        </span>
      </div>
      <ol ref={list} class={`calls${isShort ? " short" : ""}`} tabIndex={0} aria-label="Calls, newest first">
        {listed.length === 0 && <li class="empty">Nothing yet.</li>}
        {deedsOf(listed).map(({ call, count, first }) => (
          <CallRow key={first.id} call={call} count={count} first={first} isShort={isShort ?? false} />
        ))}
        {questions > 0 && !isShort && (
          <li class="questions">
            <button type="button" class="button" aria-pressed={listsQuestions.value} onClick={toggleQuestions}>
              {listsQuestions.value ? "Leave out what pages asked" : `List what pages asked, too (${questions})`}
            </button>
          </li>
        )}
      </ol>
    </div>
  );
}

/** From where the first call of a gesture began to where the last one ended. */
function wholeWay(first: string, last: string): string {
  const shape = /^(.+: \S+ )(\S+)( -> \S+)$/;
  const [, what, from] = shape.exec(first) ?? [];
  const [, same, , to] = shape.exec(last) ?? [];
  return what !== undefined && what === same ? `${what}${from}${to}` : last;
}

function CallRow({ call, count, first, isShort }: Deed & { isShort: boolean }): preact.JSX.Element {
  const remarks = remarksOf(call);
  const isAhead = call.historyStep !== null && currentStep.value !== null && call.historyStep > currentStep.value;
  const isUndone = isAhead || gone.value.has(call.id);
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
        <span class="did">{call.line ? shownLine(count > 1 ? wholeWay(first.line, call.line) : call.line) : "nothing changed"}</span>
        {count > 1 && <span class="count quiet">{count} calls</span>}
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
                title={`Undo ${count > 1 ? `these ${count} calls` : "this call"} and all that came after; Redo brings them back`}
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
