/** A line to paste, with its button. */

import { BRIEFLY_MS, say } from "../state/messages";

export async function copy(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    say("Copied.", "info", BRIEFLY_MS);
  } catch {
    say("The browser does not let this page copy; mark the text and copy it by hand.", "warning");
  }
}

export function CopyLine({ label, text }: { label: string; text: string }): preact.JSX.Element {
  return (
    <div class="copy-line">
      <span class="quiet">{label}</span>
      <code tabIndex={0}>{text}</code>
      <button type="button" class="button" aria-label={`Copy the line for ${label}`} onClick={() => void copy(text)}>
        Copy
      </button>
    </div>
  );
}
