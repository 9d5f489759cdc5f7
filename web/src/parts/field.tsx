/** A field for one line, which is taken by Enter or by leaving it and put back by Escape. */

import { useState } from "preact/hooks";

interface Props {
  label: string;
  value: string;
  unit?: string;
  /** Of how many characters it shows. */
  width: number;
  readOnly?: boolean;
  /** Whether the label is read but not shown. */
  hideLabel?: boolean;
  placeholder?: string;
  describedBy?: string;
  id?: string;
  onCommit: (text: string) => Promise<unknown>;
}

export function Field(props: Props): preact.JSX.Element {
  const [draft, setDraft] = useState<string | null>(null);
  const commit = async (): Promise<void> => {
    if (draft === null) return;
    if (draft !== props.value) await props.onCommit(draft);
    setDraft(null);
  };
  return (
    <label class="field">
      <span class={props.hideLabel ? "visually-hidden" : "quiet"}>{props.label}</span>
      <input
        id={props.id}
        value={draft ?? props.value}
        style={{ width: `calc(${props.width}ch + 16px)` }}
        readOnly={props.readOnly}
        placeholder={props.placeholder}
        aria-describedby={props.describedBy}
        spellcheck={false}
        autocomplete="off"
        onFocus={(event) => event.currentTarget.select()}
        onInput={(event) => setDraft(event.currentTarget.value)}
        onBlur={() => void commit()}
        onKeyDown={(event) => {
          if (event.key === "Enter") void commit();
          if (event.key === "Escape") setDraft(null);
        }}
      />
      {props.unit && <span class="quiet">{props.unit}</span>}
    </label>
  );
}
