/**
 * Tracks beside each other, scenes below each other, as in Live; a strip of the mixer below each track. One surface
 * scrolls: the heads stay at its top, the mixer at its bottom, the scenes at its right.
 */

import { useEffect, useLayoutEffect } from "preact/hooks";
import type { Track } from "../device/shapes";
import { isolated } from "../music/words";
import { chosenTrack, chooseTrack } from "../state/acts";
import { flashed, regular, view } from "../state/store";
import { isBroad, isWide } from "../parts/media";
import { useShown, whenSeenOtherwise, within } from "../parts/window";
import { CallList } from "../tabs/activity";
import { columns, isFolded, toggleFold } from "./columns";
import { columnWidth, HEAD, isTaughtAbove, isTight, mixerIsOpen, ROW, sceneWidth, sessionWidth } from "./geometry";
import { focusCell, focused, onGridKey, takeFocus } from "./grid_keys";
import { Mixer } from "./mixer";
import { SceneCell } from "./scene";
import { SlotCell } from "./slot";
import { paintProgress } from "./progress";
import { onFrame } from "../state/motion";
import { NoClip, NoTrack } from "./teach";

export function SessionTab(): preact.JSX.Element {
  const width = columnWidth.value;
  const { scroller, shown } = useShown({ column: width, row: ROW });
  useEffect(() => onFrame(({ progress }) => paintProgress(progress)), []);
  useLayoutEffect(() => {
    const element = scroller.current;
    const whole = element?.parentElement;
    if (!element || !whole) return undefined;
    return whenSeenOtherwise(element, () => (sessionWidth.value = whole.clientWidth - (element.offsetWidth - element.clientWidth)));
  }, []);
  const scenes = view.value?.scenes ?? [];
  const cols = columns.value;
  const { row: keptRow, column: keptColumn } = focused.value;
  const shownColumns = within(cols, shown.firstColumn, shown.lastColumn, keptColumn);
  useLayoutEffect(() => takeFocus(scroller.current), [keptRow, keptColumn]);
  const teaching = regular.value.length === 0 ? <NoTrack /> : view.value?.slots.length === 0 ? <NoClip /> : null;
  const sizes = {
    "--column": `${width}px`,
    "--scenes": `${sceneWidth.value}px`,
    "--row": `${ROW}px`,
    "--head": `${HEAD}px`,
  };
  return (
    <div class={`session${isTaughtAbove.value ? " stacked" : ""}${isTight.value ? " tight" : ""}`} style={sizes}>
      {isTaughtAbove.value ? (
        <aside class="above" aria-label="How to begin">
          {teaching}
        </aside>
      ) : null}
      <div class="scroller" ref={scroller}>
        <div class="surface" style={{ width: `${cols.length * width + sceneWidth.value}px` }}>
          <div
            role="grid"
            aria-label="Clips"
            aria-rowcount={scenes.length + 1}
            aria-colcount={cols.length + 1}
            class="grid"
            onKeyDown={(event) => onGridKey(event, scroller.current)}
          >
            <div role="row" aria-rowindex={1} class="heads">
              {shownColumns.map(({ item, index }) => (
                <TrackHead key={item.track.id} track={item.track} column={index} />
              ))}
              <div role="columnheader" aria-colindex={cols.length + 1} class="scenes-head">
                {scenes.length} scenes
              </div>
            </div>
            <div role="rowgroup" class="rows" style={{ height: `${scenes.length * ROW}px` }}>
              {within(scenes, shown.firstRow, shown.lastRow, keptRow).map(({ item: scene, index: row }) => (
                <div key={scene.id} role="row" aria-rowindex={row + 2} class="row" style={{ top: `${row * ROW}px` }}>
                  {shownColumns.map(({ item, index }) => (
                    <SlotCell key={item.track.id} track={item.track} trackIndex={item.index} column={index} row={row} />
                  ))}
                  <SceneCell scene={scene} row={row} column={cols.length} />
                </div>
              ))}
            </div>
          </div>
          <Mixer columns={shownColumns} isOpen={mixerIsOpen.value} />
        </div>
      </div>
      {isBroad.value && teaching ? (
        <aside class="beside" aria-label="How to begin">
          {teaching}
        </aside>
      ) : (
        isWide.value && (
          <aside class="beside" aria-label="Activity">
            <CallList isShort />
          </aside>
        )
      )}
    </div>
  );
}

function TrackHead({ track, column }: { track: Track; column: number }): preact.JSX.Element {
  const isFocused = focused.value.row === -1 && focused.value.column === column;
  const classes = ["head", `kind-${track.kind}`];
  if (flashed.value.has(track.id)) classes.push("flash");
  if (chosenTrack.value === track.id) classes.push("chosen");
  return (
    <div
      role="columnheader"
      aria-colindex={column + 1}
      class={classes.join(" ")}
      style={{ left: `${column * columnWidth.value}px`, "--color": track.color ?? "var(--line)" }}
    >
      {track.kind === "group" && (
        <button
          type="button"
          class="fold"
          tabIndex={-1}
          aria-expanded={!isFolded(track)}
          aria-label={`Tracks of ${isolated(track.name)}`}
          onClick={() => toggleFold(track)}
        >
          <svg viewBox="0 0 12 12" aria-hidden="true">
            <path d={isFolded(track) ? "M3 1.5v9l7.5-4.5z" : "M1.5 3h9L6 10.5z"} />
          </svg>
        </button>
      )}
      <button
        type="button"
        class="track-name"
        data-row={-1}
        data-column={column}
        tabIndex={isFocused ? 0 : -1}
        title={track.name}
        onFocus={() => focusCell(-1, column)}
        onClick={() => chooseTrack(track.id)}
      >
        {track.groupId && <span aria-hidden="true">· </span>}
        <bdi>{track.name}</bdi>
      </button>
    </div>
  );
}
