/** What stands in place of a tab that cannot be shown. */

import { useState } from "preact/hooks";
import { get, setToken } from "../device/http";
import { reconnect } from "../device/events";
import type { Host } from "../device/shapes";
import { isUnauthorised, link, readAll } from "../state/store";

export function Unshown({ host }: { host: Host }): preact.JSX.Element {
  return (
    <section class="card narrow">
      <h2>{host.kind === "live" ? "The Set is open in Ableton Live" : "No Set to show"}</h2>
      <p>{host.reason ?? "This host does not tell what is in its Set."}</p>
      <p class="quiet">Transport, Activity, Setup and Context work as ever.</p>
    </section>
  );
}

export function TokenCard(): preact.JSX.Element {
  const [text, setText] = useState("");
  const [isWrong, setWrong] = useState(false);
  const take = async (): Promise<void> => {
    setToken(text.trim());
    try {
      await get("/config");
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
