/** The toolset as a checklist by group. */

import type { Settings } from "../device/shapes";
import { trySettings } from "../state/acts";
import { say } from "../state/messages";

/** Every tool by its group; `page.test.mjs` holds it complete. Which there are, the device says. */
const GROUPS: readonly [string, readonly string[]][] = [
  ["Session", ["connect", "context", "manage", "batch", "read-history", "read-job"]],
  ["Read", ["read-live-set", "read-track", "read-scene", "read-clip", "read-device", "select", "library"]],
  ["Make", ["create-track", "create-scene", "create-clip", "create-device", "duplicate"]],
  ["Change", ["update-live-set", "update-track", "update-scene", "update-clip", "update-device", "delete"]],
  ["Play", ["playback", "render"]],
];

const OTHERS = "Others";

const groupOf = new Map(GROUPS.flatMap(([group, names]) => names.map((name) => [`svc-${name}`, group])));

export function ToolList({ now }: { now: Settings }): preact.JSX.Element {
  const all = now.availableTools;
  const groups = [...GROUPS.map(([name]) => name), OTHERS];
  const send = async (tools: string[]): Promise<void> => {
    const refused = await trySettings({ tools });
    if (refused) say(`Tools: ${refused}`, "warning");
  };
  return (
    <div class="tool-groups">
      {groups.map((group) => {
        const members = all.filter(({ name }) => (groupOf.get(name) ?? OTHERS) === group);
        if (!members.length) return null;
        const on = members.filter(({ name }) => now.tools.includes(name)).length;
        return (
          <fieldset key={group} class="tool-group">
            <legend>
              {group}{" "}
              <span class="quiet small">
                {on} of {members.length}
              </span>
            </legend>
            {members.map(({ name, title }) => (
              <label key={name} class="check" title={name}>
                <input
                  type="checkbox"
                  checked={now.tools.includes(name)}
                  onChange={(event) =>
                    void send(
                      event.currentTarget.checked ? [...now.tools, name] : now.tools.filter((other) => other !== name),
                    )
                  }
                />
                {title}
              </label>
            ))}
          </fieldset>
        );
      })}
    </div>
  );
}
