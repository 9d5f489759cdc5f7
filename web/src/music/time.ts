/** Beats as musicians read them. Beats of the device are quarters; a bar and its beats are those of the meter. */

export interface Meter {
  numerator: number;
  denominator: number;
}

export function parseMeter(text: string | undefined): Meter {
  const [numerator, denominator] = (text ?? "4/4").split("/").map(Number);
  return { numerator: numerator || 4, denominator: denominator || 4 };
}

/** A tempo as it was typed, with a point or a comma; `null` where a Set cannot have it. */
export function typedTempo(text: string): number | null {
  const tempo = Number(text.trim().replace(",", "."));
  return text.trim() && tempo >= 20 && tempo <= 999 ? tempo : null;
}

/** A meter as it was typed; `null` where a Set cannot have it. */
export function typedMeter(text: string): string | null {
  const [, above = "", below = ""] = /^\s*(\d{1,2})\s*\/\s*(\d{1,2})\s*$/.exec(text) ?? [];
  return Number(above) >= 1 && [1, 2, 4, 8, 16].includes(Number(below)) ? `${Number(above)}/${Number(below)}` : null;
}

export function quartersInBar(meter: Meter): number {
  return (meter.numerator * 4) / meter.denominator;
}

/** `5.2.1`: bar, beat, sixteenth, each from 1. */
export function position(quarters: number, meter: Meter): string {
  const bar = quartersInBar(meter);
  const beat = 4 / meter.denominator;
  // A clock that stands a rounding error before a beat is on it.
  const time = quarters + 1e-6;
  const bars = Math.floor(time / bar);
  const within = time - bars * bar;
  const beats = Math.floor(within / beat);
  const sixteenths = Math.floor((within - beats * beat) / 0.25);
  return `${bars < 0 ? bars : bars + 1}.${beats + 1}.${sixteenths + 1}`;
}

/**
 * What a ruler says and where, from `from` to `to`: marks on sixteenths, beats or bars (of seconds on round ones), as
 * many as `most` has room for. No two say the same.
 */
export function rulerMarks(from: number, to: number, most: number, meter: Meter | "seconds"): { at: number; label: string }[] {
  const step = rulerStep((to - from) / Math.max(1, most), meter);
  const digits = step < 0.1 ? 2 : step < 1 ? 1 : 0;
  const marks: { at: number; label: string }[] = [];
  for (let count = Math.ceil(from / step - 1e-6); count * step < to - 1e-6; count += 1) {
    const at = count * step;
    const label = meter === "seconds" ? `${at.toFixed(digits)} s` : position(at, meter);
    if (label !== marks.at(-1)?.label) marks.push({ at, label });
  }
  return marks;
}

/** The finest step that is not below `least`. */
function rulerStep(least: number, meter: Meter | "seconds"): number {
  const steps = meter === "seconds" ? [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60] : [0.25, 4 / meter.denominator, quartersInBar(meter)];
  const [longest] = steps.slice(-1);
  const fine = steps.find((step) => step >= least);
  if (fine !== undefined || longest === undefined) return fine ?? least;
  return longest * 2 ** Math.ceil(Math.log2(least / longest));
}

/** `5|2.5`: as the tools take a position. */
export function barBeat(quarters: number, meter: Meter): string {
  const bar = quartersInBar(meter);
  const bars = Math.floor(quarters / bar + 1e-9);
  const beat = ((quarters - bars * bar) * meter.denominator) / 4 + 1;
  return `${bars + 1}|${Number(beat.toFixed(4))}`;
}

/** `2 bars`, `1 bar 2 beats`, `3 beats`. */
export function span(quarters: number, meter: Meter): string {
  const bar = quartersInBar(meter);
  const bars = Math.floor(quarters / bar + 1e-9);
  const beats = Number((((quarters - bars * bar) * meter.denominator) / 4).toFixed(2));
  const words = (count: number, word: string): string => `${count} ${word}${count === 1 ? "" : "s"}`;
  if (!bars) return words(beats, "beat");
  return beats ? `${words(bars, "bar")} ${words(beats, "beat")}` : words(bars, "bar");
}

const NAMES = ["C", "C#", "D", "Eb", "E", "F", "F#", "G", "Ab", "A", "Bb", "B"];

/** `C3` is 60. */
export function pitchName(pitch: number): string {
  return `${NAMES[pitch % 12]}${Math.floor(pitch / 12) - 2}`;
}

export function rootName(root: number): string {
  return NAMES[root % 12] ?? "";
}
