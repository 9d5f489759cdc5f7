/** A field for one line, which is taken by Enter or by leaving it and put back by Escape. */

import { useRef, useState } from "preact/hooks";

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
  /** With `false` what was typed stays, so that its refusal stands beside it. */
  onCommit: (text: string) => Promise<boolean | void>;
  /** It is typed anew, or what was typed is taken back. */
  onEdit?: () => void;
}

export function Field(props: Props): preact.JSX.Element {
  const [draft, setDraft] = useState<string | null>(null);
  const refused = useRef<string | null>(null);
  const edit = (text: string | null): void => {
    setDraft(text);
    refused.current = null;
    props.onEdit?.();
  };
  const commit = async (): Promise<void> => {
    if (draft === null || draft === refused.current) return;
    const isTaken = draft === props.value || (await props.onCommit(draft)) !== false;
    refused.current = isTaken ? null : draft;
    if (isTaken) setDraft(null);
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
        onInput={(event) => edit(event.currentTarget.value)}
        onBlur={() => void commit()}
        onKeyDown={(event) => {
          if (event.key === "Enter") void commit();
          if (event.key === "Escape") edit(null);
        }}
      />
      {props.unit && <span class="quiet">{props.unit}</span>}
    </label>
  );
}
