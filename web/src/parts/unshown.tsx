/** What stands in place of a tab that cannot be shown. */

import { setToken } from "../device/http";
import { reconnect } from "../device/events";
import type { Host } from "../device/shapes";
import { link, readAll } from "../state/store";
import { Field } from "./field";

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
  const take = async (text: string): Promise<void> => {
    setToken(text.trim());
    link.value = "connecting";
    await readAll();
    // It stands at that again where this was not the token.
    if (link.peek() === "connecting") reconnect();
  };
  return (
    <section class="card narrow">
      <h2>This device wants its token</h2>
      <p>It lies in the file “token” of the device's data folder; its window opens this page with it.</p>
      <Field label="Token" value="" width={34} onCommit={take} />
    </section>
  );
}
