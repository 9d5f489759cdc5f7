/** The device's sentences in the words that stand on the page. */

interface Named {
  path: string;
  name: string;
}

/** `Bass, scene 2 “Break”`. */
export function slotName(track: number, scene: number, tracks: readonly Named[], scenes: readonly { name: string }[]): string {
  const of = tracks.find(({ path }) => path === `t${track}`)?.name ?? `track ${track + 1}`;
  const name = scenes[scene]?.name;
  return `${isolated(of)}, scene ${scene + 1}${name ? ` “${isolated(name)}”` : ""}`;
}

/** Paths of slots by their names. */
export function withNames(text: string, tracks: readonly Named[], scenes: readonly { name: string }[]): string {
  return text.replace(/(?<![\w/])t(\d+)\/s(\d+)\b/g, (_, track, scene) => slotName(Number(track), Number(scene), tracks, scenes));
}

/** Remarks that say how a caller learns more, which nobody at a page needs. */
export function isForCallers(remark: string): boolean {
  return remark.startsWith("moreChanges counts");
}

interface Stepped {
  steps?: { changes?: string[]; moreChanges?: number }[];
}

/** What an undo or redo changed, where that is more than one sees at a glance: `Undone: …, and 12 more changes.` */
export function steppedWords(done: string, result: unknown): string | null {
  const steps = (result as Stepped | null)?.steps ?? [];
  if (!steps.some(({ moreChanges }) => moreChanges)) return null;
  const told = steps.flatMap(({ changes }) => changes ?? []);
  const more = steps.reduce((sum, step) => sum + (step.moreChanges ?? 0), 0) + Math.max(0, told.length - 1);
  const first = (told[0] ?? "").replaceAll(" -> ", " → ");
  const rest = `${more} ${first ? "more " : ""}change${more === 1 ? "" : "s"}`;
  return `${done}: ${[first, rest].filter(Boolean).join(", and ")}.`;
}

/** The tool that a request may not use. */
export function refusedTool(text: string): string | null {
  return /^There is no tool `([^`]+)` for this request/.exec(text)?.[1] ?? null;
}

/** By which a return is called, and the sends to it: that of its place. */
export function returnLetter(at: number): string {
  return String.fromCharCode(65 + (at % 26));
}

/** What a track sounds like, shortly: `drum kit`, and behind it `default`. */
export function shortSound(sounds: string | null): { word: string; rest: string; isSilent: boolean } {
  const [, why] = /^silent(?:: (.*))?$/.exec(sounds ?? "") ?? [];
  if (sounds?.startsWith("silent")) return { word: "silent", rest: why ?? "", isSilent: true };
  const short = (sounds ?? "").replace(/^(exact|approximate|stand-in)(: (plays as (the )?)?|$)/, "");
  const [, name] = /^default (.+)$/.exec(short) ?? [];
  return { word: name ?? short, rest: name ? "default" : "", isSilent: false };
}

const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;

/** A name that is written from right to left keeps to itself within a sentence. */
export function isolated(name: string): string {
  return RIGHT_TO_LEFT.test(name) ? `\u2068${name}\u2069` : name;
}
