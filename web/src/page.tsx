/** The page: transport, tabs, what the last call did. */

import { useEffect } from "preact/hooks";
import { tab, TABS, type TabId } from "./state/tab";
import { isPlaying, onFrame } from "./state/motion";
import { isTyping } from "./parts/keys";
import { flip, play, redo, setMetronome, stop, undo } from "./state/acts";
import { Transport } from "./parts/transport";
import { listenForDrops } from "./files/drop";
import { FileDialog } from "./files/file_dialog";
import { resume } from "./files/task";
import { StatusBar } from "./parts/status";
import { Messages } from "./parts/messages";
import { TokenCard, Unshown } from "./parts/unshown";
import { host, link, view } from "./state/store";
import { SessionTab } from "./session/session";
import { ArrangementTab } from "./arrangement/arrangement";
import { ClipTab } from "./clip/clip";
import { ActivityTab } from "./tabs/activity";
import { SetupTab } from "./tabs/setup";
import { ContextTab } from "./tabs/context";

const CONTENT: Record<TabId, () => preact.JSX.Element> = {
  session: SessionTab,
  arrangement: ArrangementTab,
  clip: ClipTab,
  activity: ActivityTab,
  setup: SetupTab,
  context: ContextTab,
};

/** Tabs that show the Set, which the device cannot always do. */
const OF_THE_SET: readonly TabId[] = ["session", "arrangement", "clip"];

export function Page(): preact.JSX.Element {
  const name = view.value?.song?.name;
  useEffect(() => {
    document.title = name ? `${name} – SVC Device` : "SVC Device";
  }, [name]);
  useEffect(() => {
    window.addEventListener("keydown", onKey);
    const undrop = listenForDrops();
    resume();
    const unpaint = onFrame(({ beat, isPlaying }) => {
      document.documentElement.dataset["beat"] = isPlaying && beat - Math.floor(beat) < 0.5 ? "on" : "off";
    });
    return () => {
      window.removeEventListener("keydown", onKey);
      undrop();
      unpaint();
    };
  }, []);
  const current = tab.value;
  const Content = CONTENT[current];
  return (
    <>
      <Transport />
      <TabList current={current} />
      <main>
        <div id="panel" class="panel" role="tabpanel" aria-labelledby={`tab-${current}`}>
        {link.value === "token" ? (
          <TokenCard />
        ) : OF_THE_SET.includes(current) && !view.value ? (
          <p class="quiet pad">{link.value === "connecting" ? "Reading the Set…" : "The device does not answer."}</p>
        ) : OF_THE_SET.includes(current) && host.value && !host.value.showsSet ? (
          <Unshown host={host.value} />
        ) : (
          <Content />
        )}
        </div>
      </main>
      <StatusBar />
      <Messages />
      <FileDialog />
    </>
  );
}

function TabList({ current }: { current: TabId }): preact.JSX.Element {
  const onArrow = (event: KeyboardEvent): void => {
    const at = TABS.findIndex(({ id }) => id === current);
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const to =
      event.key === "Home" ? 0 : event.key === "End" ? TABS.length - 1 : step ? (at + step + TABS.length) % TABS.length : -1;
    const next = TABS[to];
    if (!next) return;
    event.preventDefault();
    tab.value = next.id;
    document.getElementById(`tab-${next.id}`)?.focus();
  };
  return (
    <nav class="tabs" aria-label="Views">
      <div role="tablist" aria-label="Views" onKeyDown={onArrow}>
        {TABS.map(({ id, name, rest }) => (
          <button
            key={id}
            id={`tab-${id}`}
            type="button"
            role="tab"
            aria-selected={id === current}
            aria-controls="panel"
            tabIndex={id === current ? 0 : -1}
            onClick={() => (tab.value = id)}
          >
            {name}
            {rest && <span class="wide">{rest}</span>}
          </button>
        ))}
      </div>
    </nav>
  );
}

function onKey(event: KeyboardEvent): void {
  if (event.defaultPrevented || isTyping(event)) return;
  if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "z") {
    event.preventDefault();
    void (event.shiftKey ? redo() : undo());
  } else if (event.key.toLowerCase() === "o" && !event.ctrlKey && !event.metaKey && !event.altKey && !event.repeat) {
    const song = view.value?.song;
    if (song) flip("metronome", song.metronome, setMetronome);
  } else if (event.key === " " && !(event.target as Element).closest("button, summary, input, select")) {
    event.preventDefault();
    void (isPlaying.value ? stop() : play());
  }
}
