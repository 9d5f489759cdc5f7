/** Levels and pans as they are shown, and where on a fader they stand. */

export const SILENCE_DB = -70;
export const LOUDEST_DB = 6;

/** Where a fader has its straight part, from -18 dB up, and the power by which it falls below. */
const KNEE = 0.4;
const KNEE_DB = -18;
const FALL = 1.7;

/** Place 0 to 1 of these decibels on a fader that ends at +6 dB. */
export function faderPlace(db: number | null): number {
  if (db === null || db <= SILENCE_DB) return 0;
  if (db >= KNEE_DB) return Math.min(1, (db + 34) / 40);
  return KNEE * (1 - ((KNEE_DB - db) / (KNEE_DB - SILENCE_DB)) ** (1 / FALL));
}

/** Decibels of a place, to a tenth. */
export function faderDb(place: number): number {
  const db = place >= KNEE ? 40 * place - 34 : KNEE_DB - (KNEE_DB - SILENCE_DB) * (1 - place / KNEE) ** FALL;
  return Math.round(Math.max(SILENCE_DB, db) * 10) / 10;
}

export function dbText(db: number | null): string {
  if (db === null || db <= SILENCE_DB) return "-inf";
  const rounded = Math.round(db * 10) / 10;
  return `${rounded > 0 ? "+" : ""}${(rounded || 0).toFixed(1)}`;
}

/** `50L`, `C`, `12R`. */
export function panText(pan: number): string {
  const steps = Math.round(Math.abs(pan) * 50);
  return steps === 0 ? "C" : `${steps}${pan < 0 ? "L" : "R"}`;
}

/** Height 0 to 1 of a peak on a meter from -60 to +6 dB. */
export function meterPlace(peak: number): number {
  if (peak <= 0.001) return 0;
  return Math.max(0, Math.min(1, (20 * Math.log10(peak) + 60) / 66));
}
