/** What came of a file, in sentences: what was read, and what did not come along. */

export interface Told {
  sentences: string[];
  /** What is not there that the file names. */
  missing: string[];
  /** What was not done, where some of it was, and why. */
  faults?: string[];
}

interface Answer {
  tracks?: number;
  scenes?: number;
  savedBy?: string;
  leftOut?: Record<string, number>;
  kept?: Record<string, number>;
  unknown?: Record<string, number>;
  missingSamples?: string[];
  moreMissingSamples?: number;
  detail?: string;
}

const counted = (count: number, word: string): string => `${count} ${word}${count === 1 ? "" : "s"}`;

export function toldOf(done: string, name: string, result: unknown, warnings: readonly string[]): Told {
  const answer = (result ?? {}) as Answer;
  const holds = [
    answer.tracks !== undefined && counted(answer.tracks, "track"),
    answer.scenes !== undefined && counted(answer.scenes, "scene"),
  ].filter(Boolean);
  const by = answer.savedBy ? `, saved by ${answer.savedBy}` : "";
  const sentences = [`${done} ${name}${holds.length ? `: ${holds.join(", ")}` : ""}${by}.`];
  const parts = [
    [answer.leftOut, "Left out"],
    [answer.kept, "Kept, not heard"],
    [answer.unknown, "Not known"],
  ] as const;
  for (const [kinds, words] of parts) {
    const list = Object.entries(kinds ?? {}).map(([kind, count]) => `${count} ${kind}`);
    if (list.length) sentences.push(`${words}: ${list.join(", ")}.`);
  }
  if (answer.detail) sentences.push(sentence(answer.detail));
  sentences.push(...warnings.map(sentence));
  const missing = answer.missingSamples ?? [];
  const all = missing.length + (answer.moreMissingSamples ?? 0);
  if (all) sentences.push(`Missing: ${counted(all, "sample")}. A browser hands over the Set alone; name the samples' folder in Setup, or drop them one by one.`);
  return { sentences, missing };
}

export function sentence(text: string): string {
  const whole = text.trim().replace(/^./u, (first) => first.toUpperCase());
  return /[.!?]$/.test(whole) ? whole : `${whole}.`;
}

/** `3.4 MB`, in the units that file managers show. */
export function size(bytes: number): string {
  if (bytes < 1000) return counted(bytes, "byte");
  return bytes < 1_000_000 ? `${(bytes / 1000).toFixed(0)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
