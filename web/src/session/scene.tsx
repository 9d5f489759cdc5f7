import type { Scene } from "../device/shapes";
import { isolated } from "../music/words";
import { launchScene } from "../state/acts";
import { flashed } from "../state/store";
import { focusCell, focused } from "./grid_keys";
import { SCENE_WORDS, sceneStates } from "./scene_state";

export function SceneCell({ scene, row, column }: { scene: Scene; row: number; column: number }): preact.JSX.Element {
  const isFocused = focused.value.row === row && focused.value.column === column;
  const name = scene.name || `Scene ${row + 1}`;
  const brings = [scene.tempoBpm && `${scene.tempoBpm} BPM`, scene.meter].filter(Boolean).join(" ");
  // Beside a meter a number can only be the tempo: there is no room for its unit.
  const shownBrings = scene.tempoBpm && scene.meter ? `${scene.tempoBpm} · ${scene.meter}` : brings;
  const state = sceneStates.value.get(row);
  return (
    <div role="rowheader" aria-colindex={column + 1} class={`scene ${state ?? ""}${flashed.value.has(scene.id) ? " flash" : ""}`}>
      <button
        type="button"
        data-row={row}
        data-column={column}
        tabIndex={isFocused ? 0 : -1}
        title={brings ? `${isolated(name)}: ${brings}` : name}
        aria-label={`Launch scene ${row + 1}${scene.name ? `: ${isolated(scene.name)}` : ""}${state ? SCENE_WORDS[state] : ""}`}
        onFocus={() => focusCell(row, column)}
        onClick={() => void launchScene(row)}
        style={{ "--color": scene.color ?? "transparent" }}
      >
        <span class="scene-launch">
          <svg viewBox="0 0 12 12" aria-hidden="true">
            <path d="M3 1.5v9l7.5-4.5z" />
          </svg>
        </span>
        <span class="scene-words">
          <span class="scene-name" dir="auto">{name}</span>
          {brings && <span class="scene-brings quiet">{shownBrings}</span>}
        </span>
      </button>
    </div>
  );
}
