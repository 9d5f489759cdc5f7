/** The waveform of an audio clip, over the clip's own time. */

import { useRef } from "preact/hooks";
import type { ClipView, Waveform } from "../device/shapes";
import { parseMeter, rulerMarks } from "../music/time";
import { ClipPlayhead, drawOutside } from "./roll";
import { useSize, useSurface, type Surface } from "./surface";

const RULER = 22;
/** The room that a label of the ruler takes. */
const LABEL_PX = 64;

/** Where in the file a beat of the clip is, by the straight lines between its warp markers. */
function secondsAt(beat: number, clip: ClipView, wave: Waveform): number {
  const marks = wave.beats ?? [];
  if (clip.isInSeconds) return beat;
  const after = marks.findIndex(([at]) => at > beat);
  const end = after < 0 ? marks.length - 1 : Math.max(1, after);
  const [from, to] = [marks[end - 1], marks[end]];
  if (!from || !to || to[0] === from[0]) return clip.lengthBeats ? (beat / clip.lengthBeats) * wave.seconds : 0;
  return from[1] + ((beat - from[0]) / (to[0] - from[0])) * (to[1] - from[1]);
}

export function Wave({ clip, wave }: { clip: ClipView; wave: Waveform }): preact.JSX.Element {
  const from = Math.min(clip.loop.startBeat, clip.markers.startBeat);
  const to = Math.max(clip.markers.endBeat, clip.loop.startBeat + clip.loop.lengthBeats, from + 0.01);
  const scroller = useRef<HTMLDivElement>(null);
  const { width } = useSize(scroller);
  const canvas = useSurface(scroller, (surface) => drawWave(surface, clip, wave, from, to));
  return (
    <div class="roll wave" ref={scroller} tabIndex={0} role="region" aria-label="Waveform">
      <canvas ref={canvas} role="img" aria-label={`Waveform of ${wave.file}, ${wave.seconds.toFixed(2)} seconds`} />
      <ClipPlayhead clip={clip} from={from} beat={width / (to - from)} gutter={0} />
      {wave.why && <p class="roll-empty quiet">{wave.why}</p>}
    </div>
  );
}

function drawWave(surface: Surface, clip: ClipView, wave: Waveform, from: number, to: number): void {
  const { context, width, height, color } = surface;
  const middle = RULER + (height - RULER) / 2;
  context.fillStyle = color("--card");
  context.fillRect(0, RULER, width, height);
  context.fillStyle = color("--line");
  context.fillRect(0, middle, width, 1);
  for (const { at, label } of rulerMarks(from, to, width / LABEL_PX, clip.isInSeconds ? "seconds" : parseMeter(clip.meter))) {
    const left = Math.round(((at - from) / (to - from)) * width);
    context.fillStyle = color("--line");
    context.fillRect(left, 0, 1, RULER);
    context.fillStyle = color("--quiet");
    // Beside the marker that may stand here.
    context.fillText(label, left + 10, RULER - 7);
  }
  drawPeaks(surface, clip, wave, from, to);
  drawOutside(surface, clip, (beat) => ((beat - from) / (to - from)) * width, 0);
}

function drawPeaks({ context, width, height, color }: Surface, clip: ClipView, wave: Waveform, from: number, to: number): void {
  const middle = RULER + (height - RULER) / 2;
  const half = (height - RULER) / 2 - 6;
  context.fillStyle = clip.color ?? color("--accent");
  const { peaks } = wave;
  if (!peaks.length || wave.seconds <= 0) return;
  for (let left = 0; left < width; left += 1) {
    const at = (pixel: number): number => (secondsAt(from + (pixel / width) * (to - from), clip, wave) / wave.seconds) * peaks.length;
    const first = Math.floor(at(left));
    const last = Math.max(first, Math.floor(at(left + 1)) - 1);
    let [low, high] = [0, 0];
    for (let index = Math.max(0, first); index <= Math.min(peaks.length - 1, last); index += 1) {
      low = Math.min(low, peaks[index]?.[0] ?? 0);
      high = Math.max(high, peaks[index]?.[1] ?? 0);
    }
    context.fillRect(left, middle - high * half, 1, Math.max(1, (high - low) * half));
  }
}
