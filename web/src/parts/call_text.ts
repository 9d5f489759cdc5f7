import { isForCallers, isolated } from "../music/words";
import type { Call } from "../device/shapes";

/** What a call did, with the arrows that a page can have, and without what only who names paths needs to know. */
export function shownLine(line: string): string {
  const plain = line
    // The tool stands beside it.
    .replace(/^svc-[a-z-]+: /, "")
    .replace(/"([^"]+)"/g, (_, name: string) => `"${isolated(name)}"`);
  return plain.replaceAll(" -> ", " → ").replace(/(no audio file that can be read); outside the folders .*/, "$1");
}

/** What it warned of, and that it was a dry run. */
export function remarksOf(call: Call): string[] {
  const dryRun = call.isDryRun ? ["dry run: nothing was kept"] : [];
  return [...call.warnings.filter((text) => !isForCallers(text)), ...dryRun];
}

/** What its remarks are, where there is no room for them. */
export function remarkWord(call: Call): string | null {
  const [first, ...more] = remarksOf(call);
  if (first === undefined) return null;
  if (first.startsWith("dry run")) return "Dry run";
  return more.length > 0 ? "Warnings" : "Warning";
}

/** `17:40:00`, in the user's own time. */
export function clock(at: string): string {
  const time = new Date(at);
  return Number.isNaN(time.getTime()) ? "" : time.toTimeString().slice(0, 8);
}

/** What a page only asked or selected is no news; whatever may have changed something is. */
export function isOwnQuestion(call: Call): boolean {
  const asks =
    call.tool.startsWith("svc-read-") ||
    call.tool === "svc-select" ||
    (call.tool === "svc-context" && call.arguments?.["action"] === "read");
  return call.via === "page" && asks && !call.isError;
}
