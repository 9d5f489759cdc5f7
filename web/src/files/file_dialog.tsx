/** The dialog of files: which one, how far it is, what came of it. */

import { useEffect, useRef, useState } from "preact/hooks";
import { jobs, regular, view } from "../state/store";
import { isOver } from "./drop";
import { addSamples, cancel, close, isBusy, openFiles, saveAs, step, take, takeSet, type Step } from "./task";
import { freeScene, heldBy } from "./samples";
import { size } from "./told";

const ACCEPT = ".als,.svcset,.wav,.wave,.aif,.aiff,.aifc,.flac,.mp3,.ogg,.oga";

export function FileButton(): preact.JSX.Element {
  return (
    <button type="button" class="toggle" aria-haspopup="dialog" onClick={openFiles}>
      File
    </button>
  );
}

export function FileDialog(): preact.JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null);
  const now = step.value;
  const isOpen = now.kind !== "closed";
  // The browser tells of its closing later, when the next file may be on its way.
  const closesItself = useRef(false);
  useEffect(() => {
    const element = dialog.current;
    if (isOpen && !element?.open) element?.showModal();
    if (!isOpen && element?.open) {
      closesItself.current = true;
      element.close();
    }
  }, [isOpen]);
  // What had the focus goes with the step it belongs to.
  useEffect(() => dialog.current?.querySelector<HTMLElement>("[data-first]")?.focus(), [now.kind]);
  return (
    <>
      {isOver.value && !isOpen && (
        <p class="drop-hint" role="status">
          A Set opens or is imported; a sample goes into the slot under it
        </p>
      )}
      <dialog
        ref={dialog}
        class="card files"
        aria-labelledby="files-title"
        onCancel={(event) => {
          if (isBusy.value) event.preventDefault();
        }}
        onClose={() => {
          if (!closesItself.current) close();
          closesItself.current = false;
        }}
      >
        {isOpen && <Content now={now} />}
      </dialog>
    </>
  );
}

function Content({ now }: { now: Exclude<Step, { kind: "closed" }> }): preact.JSX.Element {
  switch (now.kind) {
    case "choose":
      return <Choose />;
    case "set":
      return <OfSet file={now.file} />;
    case "samples":
      return <OfSamples files={now.files} refused={now.refused} about={now.about} />;
    case "sending":
      return <Way title={`Sending ${now.name}`} done={now.sent} total={now.bytes} text={`${size(now.sent)} of ${size(now.bytes)}`} />;
    case "working": {
      const progress = now.job ? jobs.value.get(now.job)?.progress : undefined;
      return <Way title={now.title} done={progress?.total ? progress.done : null} total={progress?.total ?? 1} text={progress?.text ?? "The device is at work."} />;
    }
    case "told":
      return <Outcome now={now} />;
  }
}

function Title({ children }: { children: preact.ComponentChildren }): preact.JSX.Element {
  return <h2 id="files-title">{children}</h2>;
}

function Choose(): preact.JSX.Element {
  const picker = useRef<HTMLInputElement>(null);
  const [name, setName] = useState<string | null>(null);
  const shown = name ?? (view.value?.song?.name || "Untitled");
  return (
    <>
      <Title>File</Title>
      <p class="quiet">A Live Set (.als) or a Set of this device (.svcset), to open or import, or samples for slots. Dropping them anywhere on the page does the same.</p>
      <input
        ref={picker}
        type="file"
        class="visually-hidden"
        aria-label="File to open"
        accept={ACCEPT}
        multiple
        onChange={(event) => void take([...(event.currentTarget.files ?? [])], null)}
      />
      <div class="row-end">
        <button type="button" class="button primary" data-first onClick={() => picker.current?.click()}>
          Choose a file…
        </button>
      </div>
      <form
        class="save-as"
        onSubmit={(event) => {
          event.preventDefault();
          void saveAs(shown);
        }}
      >
        <label class="field stacked">
          <span>Save as</span>
          <input value={shown} maxLength={100} spellcheck={false} autocomplete="off" aria-describedby="save-as-about" onInput={(event) => setName(event.currentTarget.value)} />
        </label>
        <p id="save-as-about" class="quiet small">The browser keeps it as .svcset. Samples stay where they are.</p>
        <div class="row-end">
          <button type="button" class="button" onClick={close}>
            Close
          </button>
          <button type="submit" class="button primary">
            Save as…
          </button>
        </div>
      </form>
    </>
  );
}

function OfSet({ file }: { file: File }): preact.JSX.Element {
  return (
    <>
      <Title>{file.name}</Title>
      <p class="quiet">{size(file.size)}. Open puts it in place of this Set; Import adds its tracks to it. Undo takes either back.</p>
      <div class="row-end">
        <button type="button" class="button" onClick={close}>
          Cancel
        </button>
        <button type="button" class="button" onClick={() => void takeSet(file, "import")}>
          Import
        </button>
        <button type="button" class="button primary" data-first onClick={() => void takeSet(file, "open")}>
          Open
        </button>
      </div>
    </>
  );
}

/** The number in `t3`. */
const indexOf = (path: string): number => Number(path.slice(1));

interface OfSamplesProps {
  files: File[];
  refused: string[];
  about: { text: string; scene: number } | undefined;
}

function OfSamples({ files, refused, about }: OfSamplesProps): preact.JSX.Element {
  const audio = regular.value.filter((track) => track.kind === "audio");
  const scenes = view.value?.scenes ?? [];
  const [wanted, setPath] = useState<string | null>(null);
  const [chosen, setChosen] = useState<number | null>(null);
  // One that was chosen may be gone.
  const path = wanted === "new" || audio.some((each) => each.path === wanted) ? (wanted ?? "new") : (audio[0]?.path ?? "new");
  const track = path === "new" ? "new" : indexOf(path);
  const scene = chosen ?? freeScene(track, files.length, about?.scene);
  const title = files.length === 1 ? (files[0]?.name ?? "") : `${files.length} samples`;
  const replaced = files.flatMap((_, at) => heldBy(track, scene + at) ?? []);
  return (
    <>
      <Title>{title}</Title>
      {refused.map((text) => (
        <p key={text} class="warn">
          {text}
        </p>
      ))}
      {about && <p>{about.text}</p>}
      <div class="place">
        <label>
          <span class="quiet">Track</span>
          <select
            value={path}
            onChange={(event) => {
              setPath(event.currentTarget.value);
              setChosen(null);
            }}
          >
            {audio.map((each) => (
              <option key={each.id} value={each.path}>
                {each.name}
              </option>
            ))}
            <option value="new">New audio track</option>
          </select>
        </label>
        <label>
          <span class="quiet">{files.length === 1 ? "Scene" : "From scene"}</span>
          <select value={scene} onChange={(event) => setChosen(Number(event.currentTarget.value))}>
            {scenes.map((each, at) => (
              <option key={each.id} value={at}>
                {sceneText(each.name, at, heldBy(track, at))}
              </option>
            ))}
            <option value={scenes.length}>New scene</option>
          </select>
        </label>
      </div>
      {audio.length === 0 && <p class="quiet">Samples lie on audio tracks. This Set has none, so one is made for them.</p>}
      {replaced.length > 0 && <p class="warn">This replaces {replaced.map((name) => `“${name}”`).join(", ")}.</p>}
      <div class="row-end">
        <button type="button" class="button" onClick={close}>
          Close
        </button>
        <button type="button" class="button primary" data-first onClick={() => void addSamples(files, { track, scene }, refused)}>
          Add
        </button>
      </div>
    </>
  );
}

function sceneText(name: string, at: number, held: string | null): string {
  return `${name ? `${at + 1}: ${name}` : `Scene ${at + 1}`}${held === null ? "" : ` (holds ${held})`}`;
}

/** How far it is; `done` is null where nobody knows. */
function Way({ title, done, total, text }: { title: string; done: number | null; total: number; text: string }): preact.JSX.Element {
  return (
    <>
      <Title>{title}</Title>
      <progress aria-label={title} max={total} {...(done !== null && { value: done })} />
      <p class="quiet way">{text}</p>
      <div class="row-end">
        <button type="button" class="button" data-first onClick={cancel}>
          Cancel
        </button>
      </div>
    </>
  );
}

function Outcome({ now }: { now: Extract<Step, { kind: "told" }> }): preact.JSX.Element {
  const { sentences, missing, faults = [] } = now.told;
  return (
    <>
      <Title>{faults.length ? `${now.title}, but not all` : now.title}</Title>
      <div role="status">
        {sentences.map((text) => (
          <p key={text} class={now.isRefusal ? "warn" : ""}>
            {text}
          </p>
        ))}
        {faults.map((text) => (
          <p key={text} class="warn">
            {text}
          </p>
        ))}
      </div>
      {missing.length > 0 && (
        <ul class="missing" aria-label="Missing samples" tabIndex={0}>
          {missing.map((path) => (
            <li key={path}>
              <code>{path}</code>
            </li>
          ))}
        </ul>
      )}
      <div class="row-end">
        {now.again && (
          <button type="button" class="button" onClick={now.again}>
            Try again
          </button>
        )}
        <button type="button" class="button primary" data-first onClick={close}>
          Done
        </button>
      </div>
    </>
  );
}
