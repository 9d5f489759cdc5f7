/** The mixer: a strip below each track, the main track's below the scenes. */

import { useEffect, useRef } from "preact/hooks";
import type { Track } from "../device/shapes";
import { dbText, faderDb, faderPlace, meterPlace, panText } from "../music/level";
import { flipTrack, stopAllClips, stopTrack, updateTrack } from "../state/acts";
import { isolated, returnLetter, shortSound } from "../music/words";
import { launches, onFrame } from "../state/motion";
import { flashed, mainTrack, returns, tracks } from "../state/store";
import { Slider } from "../parts/slider";
import { groupLaunches } from "./columns";
import { columnWidth, isTight, toggleMixer } from "./geometry";

interface Props {
  columns: { item: { track: Track; index: number }; index: number }[];
  isOpen: boolean;
}

export function Mixer({ columns, isOpen }: Props): preact.JSX.Element {
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => onFrame(({ meters }) => element.current && paintMeters(element.current, meters)), []);
  const main = mainTrack.value;
  return (
    <section class={`mixer${isOpen ? "" : " closed"}${isTight.value ? " tight" : ""}`} aria-label="Mixer" ref={element}>
      {columns.map(({ item, index }) => (
        <Strip
          key={item.track.id}
          track={item.track}
          index={item.index}
          isOpen={isOpen}
          left={index * columnWidth.value}
        />
      ))}
      <div class="main-strip">
        <div class="strip-line">
          <button type="button" class="stop" aria-label="Stop all clips" title="Stop all clips" onClick={() => void stopAllClips()}>
            <StopShape />
          </button>
          <button type="button" class="toggle mixer-toggle" aria-expanded={isOpen} onClick={toggleMixer}>
            Mixer
          </button>
        </div>
        {main && <StripBody track={main} index={tracks.value.indexOf(main)} isOpen={isOpen} />}
      </div>
    </section>
  );
}

/** The heights of all meters that are in the page. */
function paintMeters(mixer: HTMLElement, meters: readonly (readonly [number, number])[]): void {
  for (const meter of mixer.querySelectorAll<HTMLElement>(".meter")) {
    const peaks = meters[Number(meter.dataset["track"])];
    const [left, right] = meter.children as unknown as HTMLElement[];
    const height = (peak: number): string => `scaleY(${(1 - meterPlace(peak)).toFixed(3)})`;
    if (left) left.style.transform = height(peaks?.[0] ?? 0);
    if (right) right.style.transform = height(peaks?.[1] ?? 0);
  }
}

function StopShape(): preact.JSX.Element {
  return (
    <svg viewBox="0 0 12 12" aria-hidden="true">
      <path d="M2.5 2.5h7v7h-7z" />
    </svg>
  );
}

function Strip(props: { track: Track; index: number; isOpen: boolean; left: number }): preact.JSX.Element {
  const { track, index } = props;
  const isStopping = launches.value.waiting.get(index) === -1 || groupLaunches.value.stopping.has(index);
  // That of a group stops its tracks.
  const plays = launches.value.playing.has(index) || groupLaunches.value.groups.has(index);
  const classes = ["strip", `kind-${track.kind}`];
  if (flashed.value.has(track.id)) classes.push("flash");
  return (
    <div
      class={classes.join(" ")}
      role="group"
      aria-label={track.name}
      style={{ left: `${props.left}px`, "--color": track.color ?? "var(--line)" }}
    >
      <div class="strip-line">
        {track.kind !== "return" && (
          <button
            type="button"
            class={`stop${isStopping ? " waiting" : ""}`}
            aria-label={`Stop ${isolated(track.name)}`}
            title={`Stop ${isolated(track.name)}`}
            disabled={!plays}
            onClick={() => void stopTrack(index)}
          >
            <StopShape />
          </button>
        )}
        <Sounds track={track} />
      </div>
      <StripBody track={track} index={index} isOpen={props.isOpen} />
    </div>
  );
}

/** What it sounds like in the width of a strip, the telling word first; the whole is told when it is pointed at. */
function Sounds({ track }: { track: Track }): preact.JSX.Element {
  const { word, rest, isSilent } = shortSound(track.sounds);
  return (
    <span class="sounds small" title={track.sounds ?? ""}>
      <span class={isSilent ? "warn" : ""}>{track.kind === "return" ? `Return ${returnLetter(returns.value.indexOf(track))}` : word}</span>
      {rest && track.kind !== "return" && <span class="quiet">{rest}</span>}
    </span>
  );
}

function StripBody({ track, index, isOpen }: { track: Track; index: number; isOpen: boolean }): preact.JSX.Element {
  const db = track.volumeDb;
  return (
    <>
      {isOpen && (track.kind === "main" ? <MainName track={track} /> : <Sends track={track} />)}
      <div class="strip-mix">
        <div class="strip-side">
          <Switches track={track} />
          {isOpen && <span class="reading small volume">{dbText(db)}</span>}
        </div>
        {isOpen && (
          <div class="levels">
            <Slider
              class="fader"
              label={`Volume of ${isolated(track.name)}`}
              isVertical
              value={faderPlace(db)}
              text={(place) => `${dbText(faderDb(place))} dB`}
              onValue={(place, gesture) => updateTrack(track.path, { gainDb: faderDb(place) }, gesture)}
              reset={faderPlace(0)}
            />
            <div class="meter" data-track={index} aria-hidden="true">
              <i />
              <i />
            </div>
          </div>
        )}
      </div>
      {isOpen && (
        <div class="strip-ends">
          <Slider
            class="pan"
            label={`Pan of ${isolated(track.name)}`}
            min={-1}
            value={track.pan}
            text={panText}
            onValue={(pan, gesture) => updateTrack(track.path, { pan: Math.round(pan * 50) / 50 }, gesture)}
            reset={0}
          />
          <span class="reading small">{panText(track.pan)}</span>
        </div>
      )}
    </>
  );
}

function Switches({ track }: { track: Track }): preact.JSX.Element {
  const row = [
    { name: "mute", letter: "M", word: "Mute", is: track.isMuted, has: track.kind !== "main" },
    { name: "solo", letter: "S", word: "Solo", is: track.isSoloed ?? false, has: track.isSoloed !== null },
    { name: "arm", letter: "R", word: "Arm", is: track.isArmed ?? false, has: track.isArmed !== null },
  ] as const;
  return (
    <div class="switches">
      {row.map(({ name, letter, word, is, has }) =>
        has ? (
          <button
            key={name}
            type="button"
            class={`switch ${name}`}
            aria-pressed={is}
            aria-label={`${word} ${isolated(track.name)}`}
            title={word}
            onClick={() => flipTrack(track, name, is)}
          >
            {letter}
          </button>
        ) : (
          <span key={name} class="switch none" />
        ),
      )}
    </div>
  );
}

/** Where other strips have their sends. */
function MainName({ track }: { track: Track }): preact.JSX.Element {
  return (
    <div class="sends">
      <span class="main-name" dir="auto">{track.name}</span>
    </div>
  );
}

function Sends({ track }: { track: Track }): preact.JSX.Element {
  return (
    <div class="sends">
      {track.sends.map(({ gainDb }, at) => {
        const target = returns.value[at];
        if (!target) return null;
        return (
          <div key={target.id} class="send">
            <span class="quiet small" aria-hidden="true">
              {returnLetter(at)}
            </span>
            <Slider
              class="send-level"
              label={`Send of ${isolated(track.name)} to ${isolated(target.name)}`}
              // A send ends at 0 dB, a fader at +6: the same travel, 6 dB lower.
              value={faderPlace(gainDb === null ? null : gainDb + 6)}
              text={(place) => `${dbText(sendDb(place))} dB`}
              onValue={(place, gesture) =>
                updateTrack(track.path, { sends: [{ return: target.path, gainDb: sendDb(place) }] }, gesture)
              }
              reset={0}
            />
          </div>
        );
      })}
    </div>
  );
}

function sendDb(place: number): number {
  return place <= 0 ? -70 : Math.max(-70, Math.min(0, Math.round((faderDb(place) - 6) * 10) / 10));
}
