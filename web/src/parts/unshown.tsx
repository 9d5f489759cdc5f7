/** What stands in place of a tab that cannot be shown. */

import { useState } from "preact/hooks";
import { get, keepToken, setToken } from "../device/http";
import { reconnect } from "../device/events";
import type { Host } from "../device/shapes";
import { trySettings } from "../state/acts";
import { say } from "../state/messages";
import { isUnauthorised, link, readAll } from "../state/store";
import { tab } from "../state/tab";

export function Unshown({ host }: { host: Host }): preact.JSX.Element {
  const isLive = host.kind === "live";
  const isAway = isLive && host.isReachable === false;
  const toOwn = async (): Promise<void> => {
    const refused = await trySettings({ hostChoice: "embedded" });
    if (refused) say(refused, "warning");
  };
  return (
    <section class="card narrow">
      <h2>
        {isAway ? "Tools work on Ableton Live, which is not connected" : isLive ? "The Set is open in Ableton Live" : "No Set to show"}
      </h2>
      <p>{host.reason ?? "This host does not tell what is in its Set."}</p>
      {isLive && (
        <div class="row-start">
          <button type="button" class={isAway ? "button primary" : "button"} onClick={() => void toOwn()}>
            Work on the device's own Set
          </button>
          <button type="button" class="button" onClick={openHostSetting}>
            Tools work on…
          </button>
        </div>
      )}
      <p class="quiet">{isAway ? "Activity, Setup and Context work as ever." : "Transport, Activity, Setup and Context work as ever."}</p>
    </section>
  );
}

/** In Setup, with the focus on the setting. */
function openHostSetting(): void {
  tab.value = "setup";
  requestAnimationFrame(() => document.querySelector<HTMLElement>('[aria-describedby="about-tools-work-on"] input:checked')?.focus());
}

export function TokenCard(): preact.JSX.Element {
  const [text, setText] = useState("");
  const [isWrong, setWrong] = useState(false);
  const take = async (): Promise<void> => {
    setToken(text.trim());
    try {
      await get("/config");
      keepToken();
    } catch (problem) {
      setWrong(isUnauthorised(problem));
      if (isUnauthorised(problem)) return;
    }
    link.value = "connecting";
    reconnect();
    await readAll();
  };
  return (
    <section class="card narrow">
      <h2>This device wants its token</h2>
      <p>It lies in the file “token” of the device's data folder; its window opens this page with it.</p>
      <form
        class="token"
        onSubmit={(event) => {
          event.preventDefault();
          void take();
        }}
      >
        <label class="field">
          <span class="quiet">Token</span>
          <input
            value={text}
            required
            spellcheck={false}
            autocomplete="off"
            aria-invalid={isWrong}
            aria-describedby="token-wrong"
            onInput={(event) => {
              setText(event.currentTarget.value);
              setWrong(false);
            }}
          />
        </label>
        <button type="submit" class="button primary" disabled={!text.trim()}>
          Connect
        </button>
      </form>
      <p id="token-wrong" class="warn" role="alert">
        {isWrong ? "That is not the token of this device." : ""}
      </p>
    </section>
  );
}
