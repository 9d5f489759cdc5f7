/** What the device wants to be known or decided, above the settings. */

import { post } from "../device/http";
import type { Settings } from "../device/shapes";
import { say } from "../state/messages";
import { explain, settings } from "../state/store";

export function Notices({ now }: { now: Settings }): preact.JSX.Element | null {
  const { permissionRequest, heldState, saveFailure, recovery } = now;
  if (!permissionRequest && !heldState && !saveFailure && !recovery) return null;
  const answer = async (word: "grant" | "dismiss"): Promise<void> => {
    try {
      settings.value = await post<Settings>("/config", { permissionRequest: word });
    } catch (problem) {
      say(explain(problem), "warning");
    }
  };
  return (
    <section class="card wide-card notices" aria-labelledby="setup-notices">
      <h2 id="setup-notices">For you to know</h2>
      {permissionRequest && (
        <div class="notice">
          <p>{permissionRequest.text}</p>
          <button type="button" class="button primary" onClick={() => void answer("grant")}>
            Grant
          </button>
          <button type="button" class="button" onClick={() => void answer("dismiss")}>
            Take out of the project
          </button>
        </div>
      )}
      {heldState && <p class="warn">A saved state could not be read, and is kept: {heldState}</p>}
      {saveFailure && <p class="warn">The last change could not be saved: {saveFailure}</p>}
      {recovery && <p class="warn">There are newer changes of this project than the DAW saved; the device's window offers them.</p>}
    </section>
  );
}
