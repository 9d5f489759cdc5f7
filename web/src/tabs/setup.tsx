/** All settings of the device, each with what it does. What is changed elsewhere shows here at once. */

import { useState } from "preact/hooks";
import type { Settings } from "../device/shapes";
import { trySettings } from "../state/acts";
import { settings } from "../state/store";
import { Field } from "../parts/field";
import { Notices } from "./notices";
import { ToolList } from "./tool_list";

type Change = Partial<Settings>;

export function SetupTab(): preact.JSX.Element {
  const now = settings.value;
  if (!now) return <p class="quiet pad">Reading the settings…</p>;
  return (
    <div class="setup">
      <Notices now={now} />
      <section class="card" aria-labelledby="setup-server">
        <h2 id="setup-server">Server</h2>
        <TextRow
          name="Port"
          about={
            now.listeningPort && now.listeningPort !== now.port
              ? `Listening on ${now.listeningPort}; this one is taken from the next start on.`
              : "Where scripts and assistants find the device. A new port moves this page too."
          }
          value={String(now.port)}
          width={6}
          fault={(text) => {
            const port = Number(text);
            return Number.isInteger(port) && port >= 1024 && port <= 65_535 ? null : "must be a whole number from 1024 to 65535";
          }}
          change={(text) => ({ port: Number(text) })}
        />
        <TextRow
          name="Time-out"
          about="Seconds that a call may take, up to 55."
          value={String(now.timeoutMs / 1000)}
          unit="s"
          width={5}
          fault={(text) => (seconds(text) > 0 && seconds(text) <= 55 ? null : "is a number of seconds, up to 55")}
          change={(text) => ({ timeoutMs: Math.round(seconds(text) * 1000) })}
        />
        <ChoiceRow
          name="Tools work on"
          about={now.host?.live?.text ?? "Whose Set is read and changed."}
          value={now.hostChoice}
          options={[
            ["auto", "Auto"],
            ["embedded", "Embedded Set"],
            ["live", "Ableton Live"],
          ]}
          change={(hostChoice) => ({ hostChoice })}
        />
      </section>
      <section class="card" aria-labelledby="setup-language">
        <h2 id="setup-language">How it speaks</h2>
        <ChoiceRow
          name="Notation"
          about="How notes are written in calls and answers."
          value={now.notation}
          options={[
            ["barbeat", "barbeat"],
            ["midi-json", "midi-json"],
            ["stark", "stark"],
          ]}
          change={(notation) => ({ notation })}
        />
        <SwitchRow name="Small-model mode" about="Shorter texts and fewer arguments, for local models." is={now.smallModelMode} change={(smallModelMode) => ({ smallModelMode })} />
        <SwitchRow name="JSON output" about="Assistants get plain JSON instead of the compact form. Scripts over HTTP choose by themselves." is={now.jsonOutput} change={(jsonOutput) => ({ jsonOutput })} />
      </section>
      <section class="card" aria-labelledby="setup-sound">
        <h2 id="setup-sound">Sound and clock</h2>
        <SwitchRow
          name="Sound"
          about="Plays the Set, beside sending its notes as MIDI."
          status={now.soundStatus}
          is={now.sound}
          change={(sound) => ({ sound })}
        />
        <SwitchRow name="MIDI out" about="Its notes leave as MIDI, each track on a channel of its own." is={now.midiOut} change={(midiOut) => ({ midiOut })} />
        <SwitchRow name="Own clock" about="In a DAW: plays without its transport." is={now.ownClock} change={(ownClock) => ({ ownClock })} />
      </section>
      <section class="card" aria-labelledby="setup-files">
        <h2 id="setup-files">Files</h2>
        <TextRow
          name="Sample folder"
          about={now.sampleFolderStatus ?? "The folder that svc-library searches, as an absolute path."}
          value={now.sampleFolder}
          width={34}
          placeholder="none"
          change={(text) => ({ sampleFolder: text.trim() })}
        />
        <FoldersRow value={now.allowedFolders} />
      </section>
      <section class="card wide-card" aria-labelledby="setup-tools">
        <h2 id="setup-tools">Tools</h2>
        <p class="quiet">What scripts and assistants may call. One that is off is gone from every list.</p>
        <ToolList now={now} />
        <SwitchRow name="Raw tool" about="svc-live-api: every property and function of the object model, without a net. For debugging." is={now.liveApiEnabled} change={(liveApiEnabled) => ({ liveApiEnabled })} />
      </section>
      <p class="quiet pad">
        Changes apply at once. SVC Device {now.version}, {now.instance}
      </p>
    </div>
  );
}

/** With a point or a comma. */
const seconds = (text: string): number => Number(text.trim().replace(",", "."));

interface RowProps<T> {
  name: string;
  about: string;
  change: (value: T) => Change;
}

const idOf = (name: string): string => `about-${name.toLowerCase().replaceAll(/\W+/g, "-")}`;

/** Sends a change, and keeps why it was refused until the next one. */
function useChange(): { refused: string | null; setRefused: (why: string | null) => void; send: (change: Change) => Promise<boolean> } {
  const [refused, setRefused] = useState<string | null>(null);
  const send = async (change: Change): Promise<boolean> => {
    const why = await trySettings(change);
    setRefused(why);
    return why === null;
  };
  return { refused, setRefused, send };
}

/** How it stands with a setting now. */
type Status = Settings["soundStatus"];

interface AboutProps {
  name: string;
  about: string;
  refused: string | null;
  status?: Status | undefined;
}

function About({ name, about, refused, status }: AboutProps): preact.JSX.Element {
  return (
    <p id={idOf(name)} class={`about ${refused ? "warn" : "quiet"}`} role={refused ? "alert" : undefined}>
      {refused ? `${name} ${refused}` : about}
      {status && !refused && <span class={status.isUnheard ? "warn" : ""}> {status.text}</span>}
    </p>
  );
}

function SwitchRow({ name, about, is, change, status }: RowProps<boolean> & { is: boolean; status?: Status }): preact.JSX.Element {
  const { refused, send } = useChange();
  return (
    <div class="setting">
      <label class="check">
        <input
          type="checkbox"
          role="switch"
          checked={is}
          aria-describedby={idOf(name)}
          onChange={(event) => void send(change(event.currentTarget.checked))}
        />
        {name}
      </label>
      <About name={name} about={about} refused={refused} status={status} />
    </div>
  );
}

function TextRow(
  props: RowProps<string> & { value: string; width: number; unit?: string; placeholder?: string; fault?: (text: string) => string | null },
): preact.JSX.Element {
  const { refused, setRefused, send } = useChange();
  const commit = async (text: string): Promise<boolean> => {
    const fault = props.fault?.(text) ?? null;
    setRefused(fault);
    return fault === null && send(props.change(text));
  };
  const more = { ...(props.unit && { unit: props.unit }), ...(props.placeholder && { placeholder: props.placeholder }) };
  return (
    <div class="setting">
      <Field
        label={props.name}
        value={props.value}
        width={props.width}
        describedBy={idOf(props.name)}
        onCommit={commit}
        onEdit={() => setRefused(null)}
        {...more}
      />
      <About name={props.name} about={props.about} refused={refused} />
    </div>
  );
}

function ChoiceRow(props: RowProps<string> & { value: string; options: [string, string][] }): preact.JSX.Element {
  const { refused, send } = useChange();
  return (
    <fieldset class="setting choice" aria-describedby={idOf(props.name)}>
      <legend>{props.name}</legend>
      <div class="options">
        {props.options.map(([value, word]) => (
          <label key={value} class="option">
            <input
              type="radio"
              name={idOf(props.name)}
              checked={props.value === value}
              onChange={() => void send(props.change(value))}
            />
            <span>{word}</span>
          </label>
        ))}
      </div>
      <About name={props.name} about={props.about} refused={refused} />
    </fieldset>
  );
}

/** One folder a line. */
function FoldersRow({ value }: { value: string[] }): preact.JSX.Element {
  const [draft, setDraft] = useState<string | null>(null);
  const { refused, send } = useChange();
  const commit = async (): Promise<void> => {
    if (draft === null) return;
    const allowedFolders = draft.split("\n").map((line) => line.trim()).filter(Boolean);
    if (await send({ allowedFolders })) setDraft(null);
  };
  return (
    <div class="setting">
      <label class="field stacked">
        <span class="quiet">Allowed folders</span>
        <textarea
          rows={3}
          spellcheck={false}
          aria-describedby={idOf("Allowed folders")}
          value={draft ?? value.join("\n")}
          onInput={(event) => setDraft(event.currentTarget.value)}
          onBlur={() => void commit()}
        />
      </label>
      <About name="Allowed folders" about="Where tools may read and write files, a folder a line. The sample folder counts by itself." refused={refused} />
    </div>
  );
}
