/** What assistants are told of this project and of the user, and what they remember. */

import { signal } from "@preact/signals";
import { useEffect, useState } from "preact/hooks";
import { callTool } from "../device/http";
import { act } from "../state/acts";
import { forget, written, type Written } from "../state/drafts";
import { hasEnded } from "../files/jobs";
import { calls, explain, greetings, jobs } from "../state/store";

const LONGEST = 10_000;

/** Another when somebody may have written a context, or brought another Set with its own, so that it is read anew. */
function revisionOfTexts(): string {
  const call = calls.value.find(
    ({ tool, arguments: args }) => tool === "svc-manage" || (tool === "svc-context" && args?.["action"] !== "read"),
  );
  // A Set is opened by a job, which ends after its call.
  const ended = [...jobs.value.values()].filter(hasEnded).at(-1);
  return `${greetings.value} ${call?.id ?? 0} ${ended?.id ?? ""}`;
}

async function read(args: Record<string, unknown>): Promise<string> {
  const { result } = await callTool("svc-context", { action: "read", ...args });
  return (result as { content?: string } | null)?.content ?? "";
}

export function ContextTab(): preact.JSX.Element {
  const revision = revisionOfTexts();
  return (
    <div class="context">
      <Document
        scope="project"
        title="This project"
        about="What assistants should know of this Set: its genre, what is settled, what not to touch. Saved with the Set."
        revision={revision}
      />
      <Document
        scope="global"
        title="All projects"
        about="What they should know of you everywhere: taste, instruments, how you like to work. Kept in your user folder."
        revision={revision}
      />
      <Memory revision={revision} />
    </div>
  );
}

interface DocumentProps {
  scope: "project" | "global";
  title: string;
  about: string;
  revision: string;
}

function Document({ scope, title, about, revision }: DocumentProps): preact.JSX.Element {
  const [stored, setStored] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [isSaved, setSaved] = useState(false);
  useEffect(() => {
    read({ scope }).then(
      (text) => {
        setStored(text);
        setProblem(null);
      },
      (why: unknown) => setProblem(explain(why)),
    );
  }, [scope, revision]);
  const draft = written(scope, stored);
  const { text } = draft;
  const save = async (): Promise<void> => {
    // What was written a moment ago has perhaps not been told yet.
    const now = await read({ scope }).catch(() => stored);
    setStored(now);
    if (now !== draft.base && now !== text) return;
    // The page shows the whole text, so what is left out is left out on purpose.
    if (!(await act("svc-context", { action: "write", scope, content: text, force: true }))) return;
    setStored(text);
    draft.drop();
    setSaved(true);
  };
  return (
    <section class="card document">
      <h2 id={`context-${scope}`}>{title}</h2>
      <p class="quiet">{problem ?? about}</p>
      <textarea
        rows={10}
        aria-labelledby={`context-${scope}`}
        value={text}
        disabled={stored === null}
        placeholder="Nothing yet."
        onInput={(event) => {
          draft.write(event.currentTarget.value);
          setSaved(false);
        }}
      />
      <Overtaken draft={draft} stored={stored ?? ""} />
      <div class="row-end">
        <span class={text.length > LONGEST ? "warn small" : "quiet small"} role="status">
          {text.length > LONGEST ? tooLong(text) : isSaved && !draft.isChanged ? "Saved." : `${text.length.toLocaleString("en")} of ${LONGEST.toLocaleString("en")} characters${draft.isChanged ? ", not saved" : ""}`}
        </span>
        <button type="button" class="button" disabled={!draft.isChanged} onClick={draft.drop}>
          Revert
        </button>
        <button type="button" class="button primary" disabled={!draft.isChanged || draft.isOvertaken || text.length > LONGEST} onClick={() => void save()}>
          Save
        </button>
      </div>
    </section>
  );
}

function tooLong(text: string): string {
  const count = (number: number): string => number.toLocaleString("en");
  return `${count(text.length)} of ${count(LONGEST)} characters: ${count(text.length - LONGEST)} too many to be saved`;
}

/** Somebody else has saved another text since this one was begun: which of the two is to stay? */
function Overtaken({ draft, stored }: { draft: Written; stored: string }): preact.JSX.Element | null {
  if (!draft.isOvertaken) return null;
  return (
    <div class="overtaken" role="alert">
      <p>This text was changed by somebody else while you wrote. It now reads:</p>
      <pre tabIndex={0} aria-label="The text as it is stored now">
        {stored || "(nothing)"}
      </pre>
      <div class="row-end">
        <button type="button" class="button" onClick={draft.drop}>
          Take theirs
        </button>
        <button type="button" class="button" onClick={draft.keep}>
          Keep mine
        </button>
      </div>
    </div>
  );
}

interface Entry {
  name: string;
  description: string;
}

function entriesOf(list: string): Entry[] {
  return list.split("\n").flatMap((line) => {
    const match = /^- `([^`]+)` - (.*)$/.exec(line);
    return match?.[1] ? [{ name: match[1], description: match[2] ?? "" }] : [];
  });
}

const NEW: Entry = { name: "", description: "" };
/** The entry that is written at; it stays open over tabs. */
const open = signal<Entry | null>(null);

function Memory({ revision }: { revision: string }): preact.JSX.Element {
  const [entries, setEntries] = useState<Entry[] | null>(null);
  const [again, setAgain] = useState(0);
  useEffect(() => {
    read({ scope: "memory" }).then(
      (list) => setEntries(entriesOf(list)),
      () => setEntries([]),
    );
  }, [revision, again]);
  const done = (): void => {
    open.value = null;
    setAgain((count) => count + 1);
  };
  return (
    <section class="card document wide-card">
      <h2>Memory</h2>
      <p class="quiet">Facts that an assistant keeps, each for the moments that its line names.</p>
      {entries?.length === 0 && !open.value && <p>Nothing is remembered yet.</p>}
      <ul class="memory">
        {entries?.map((entry) => (
          <li key={entry.name}>
            <button type="button" aria-expanded={open.value?.name === entry.name} onClick={() => (open.value = open.value?.name === entry.name ? null : entry)}>
              <b>{entry.name}</b> <span class="quiet">{entry.description}</span>
            </button>
            {open.value?.name === entry.name && <EntryForm key={entry.name} entry={entry} revision={revision} onDone={done} />}
          </li>
        ))}
      </ul>
      {open.value && !open.value.name ? (
        <EntryForm entry={NEW} revision={revision} onDone={done} />
      ) : (
        <div class="row-end">
          <button type="button" class="button" onClick={() => (open.value = NEW)}>
            Add an entry
          </button>
        </div>
      )}
    </section>
  );
}

interface EntryProps {
  entry: Entry;
  revision: string;
  onDone: () => void;
}

function EntryForm({ entry, revision, onDone }: EntryProps): preact.JSX.Element {
  const isNew = !entry.name;
  const [stored, setStored] = useState<string | null>(isNew ? "" : null);
  const key = `memory/${entry.name}/`;
  const name = written(`${key}name`, entry.name);
  const description = written(`${key}description`, entry.description);
  const content = written(`${key}content`, stored);
  useEffect(() => {
    if (!isNew) void read({ scope: "memory", name: entry.name }).then(setStored, () => undefined);
  }, [entry.name, isNew, revision]);
  const end = (): void => {
    forget(key);
    onDone();
  };
  const call = async (args: Record<string, unknown>): Promise<void> => {
    if (await act("svc-context", { scope: "memory", ...args })) end();
  };
  return (
    <form
      class="entry"
      onSubmit={(event) => {
        event.preventDefault();
        void call({ action: "write", name: name.text, description: description.text, content: content.text });
      }}
    >
      {isNew && (
        <label class="field stacked">
          <span class="quiet">Name</span>
          <input value={name.text} required onInput={(event) => name.write(event.currentTarget.value)} />
        </label>
      )}
      <label class="field stacked">
        <span class="quiet">When it matters</span>
        <input value={description.text} required onInput={(event) => description.write(event.currentTarget.value)} />
      </label>
      <label class="field stacked">
        <span class="quiet">What to remember</span>
        <textarea rows={5} value={content.text} onInput={(event) => content.write(event.currentTarget.value)} />
      </label>
      <Overtaken draft={content} stored={stored ?? ""} />
      <div class="row-end">
        {!isNew && (
          <button type="button" class="button" onClick={() => void call({ action: "delete", name: entry.name })}>
            Delete
          </button>
        )}
        <button type="button" class="button" onClick={end}>
          Cancel
        </button>
        <button type="submit" class="button primary" disabled={stored === null || content.isOvertaken}>
          Save
        </button>
      </div>
    </form>
  );
}
