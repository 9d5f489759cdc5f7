/** Colours of clips and tracks, and which text is read on them. */

function linear(channel: number): number {
  const value = channel / 255;
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
}

const known = new Map<string, string>();

/** Black or white, whichever stands out more: at least 4.5 to 1 on any colour. */
export function textOn(color: string): string {
  const found = known.get(color);
  if (found) return found;
  const value = Number.parseInt(color.slice(1), 16);
  const luminance =
    0.2126 * linear((value >> 16) & 255) + 0.7152 * linear((value >> 8) & 255) + 0.0722 * linear(value & 255);
  const text = (luminance + 0.05) / 0.05 >= 1.05 / (luminance + 0.05) ? "#000000" : "#ffffff";
  known.set(color, text);
  return text;
}

/** What is seen of a colour that lets so much of another through, both as `#rrggbb`. */
export function blended(color: string, below: string, strength: number): string {
  const [over, under] = [color, below].map((text) => Number.parseInt(text.slice(1), 16));
  const channel = (shift: number): number => {
    const [a, b] = [((over ?? 0) >> shift) & 255, ((under ?? 0) >> shift) & 255];
    return Math.round(a * strength + b * (1 - strength));
  };
  return `#${((channel(16) << 16) | (channel(8) << 8) | channel(0)).toString(16).padStart(6, "0")}`;
}
