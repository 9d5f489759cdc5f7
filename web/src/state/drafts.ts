/** Texts that are being written: kept over tabs and a reload, until they are saved or taken back. */

import { effect, signal } from "@preact/signals";

interface Draft {
  text: string;
  /** The stored text that it began from, or that its writer has since seen. */
  base: string;
}

type Drafts = Readonly<Record<string, Draft>>;

const KEPT = "svc-drafts";
const drafts = signal<Drafts>(JSON.parse(sessionStorage.getItem(KEPT) ?? "{}") as Drafts);

effect(() => sessionStorage.setItem(KEPT, JSON.stringify(drafts.value)));

export interface Written {
  /** What the field shows. */
  text: string;
  isChanged: boolean;
  /** Whether what is stored is no longer what the draft began from. */
  isOvertaken: boolean;
  /** What the draft began from; what is stored where there is none. */
  base: string;
  write: (text: string) => void;
  /** The draft goes; what is stored is shown. */
  drop: () => void;
  /** The draft stays, to be saved over what is stored now. */
  keep: () => void;
}

/** The text of a field whose stored text is `stored`, `null` while that is not known. */
export function written(key: string, stored: string | null): Written {
  const draft = drafts.value[key];
  const base = draft?.base ?? stored ?? "";
  const isChanged = draft !== undefined && draft.text !== stored;
  const set = (next: Draft): void => {
    drafts.value = { ...drafts.value, [key]: next };
  };
  return {
    text: draft?.text ?? stored ?? "",
    isChanged,
    isOvertaken: isChanged && stored !== null && base !== stored,
    base,
    write: (text) => (text === stored ? forget(key) : set({ text, base })),
    drop: () => forget(key),
    keep: () => draft && stored !== null && set({ text: draft.text, base: stored }),
  };
}

/** Drops the drafts whose keys begin so. */
export function forget(prefix: string): void {
  drafts.value = Object.fromEntries(Object.entries(drafts.value).filter(([key]) => !key.startsWith(prefix)));
}
