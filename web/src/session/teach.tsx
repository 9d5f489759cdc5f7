/** What an empty grid says: what to do now, as one line to paste. */

import { CopyLine } from "../parts/copy_line";
import { act } from "../state/acts";
import { columns } from "./columns";
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

const beat = (track: string): Record<string, unknown> => ({
  path: `${track}/s0`,
  name: "Beat",
  notes: "v110 n/16 C1 1|1,3 D1 1|2,4 v70 F#1 1|1x8@n/8",
});

/** Makes it and launches it, so that something plays. */
async function putBeat(track: string): Promise<void> {
  if (await act("svc-create-clip", beat(track))) await act("svc-playback", { action: "play-session-clips", path: `${track}/s0` });
}

export function NoClip(): preact.JSX.Element {
  const at = columns.value.find(({ track }) => track.kind === "midi");
  return (
    <section class="teach">
      <h2>No clip yet</h2>
      {at !== undefined && (
        <div class="row-start">
          <button type="button" class="button primary" onClick={() => void putBeat(at.track.path)}>
            Put a beat in here
          </button>
        </div>
      )}
      <p>
        {at !== undefined ? "Or drop" : "Drop"} a sample on a slot of an audio track. A script puts the beat there with:
      </p>
      <CopyLine label="curl" text={curl("svc-create-clip", beat(at?.track.path ?? "t0"))} />
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
