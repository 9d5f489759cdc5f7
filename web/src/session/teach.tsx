/** What an empty grid says: what to do now, as one line to paste. */

import { CopyLine } from "../parts/copy_line";
import { calls } from "../state/store";

const origin = location.origin;
const JSON_TYPE = "-H 'Content-Type: application/json'";

function curl(tool: string, args: unknown): string {
  return `curl -s ${origin}/api/tools/${tool} ${JSON_TYPE} -d '${JSON.stringify(args)}'`;
}

export function NoTrack(): preact.JSX.Element {
  return (
    <section class="teach">
      <h2>No track yet</h2>
      <p>Make one from a shell, or ask your assistant for it:</p>
      <CopyLine label="curl" text={curl("svc-create-track", { path: "t+", name: "Drums" })} />
      <Connect />
    </section>
  );
}

export function NoClip(): preact.JSX.Element {
  return (
    <section class="teach">
      <h2>No clip yet</h2>
      <p>A beat in the first slot of the first track, to launch with a click:</p>
      <CopyLine
        label="curl"
        text={curl("svc-create-clip", { path: "t0/s0", name: "Beat", notes: "v110 n/16 C1 1|1,3 D1 1|2,4 v70 F#1 1|1x8@n/8" })}
      />
      <Connect />
    </section>
  );
}

/** For who has no client yet. */
export function Connect(): preact.JSX.Element | null {
  if (calls.value.some((call) => call.via === "mcp")) return null;
  const config = JSON.stringify({ mcpServers: { svc: { url: `${origin}/mcp` } } });
  return (
    <>
      <p>Connect an assistant, by the line that it wants:</p>
      <CopyLine label="Claude Code" text={`claude mcp add --transport http svc ${origin}/mcp`} />
      <CopyLine label="Cursor" text={config} />
    </>
  );
}
