/** Which tab is shown. It is in the address too, so that a reload and a link keep it, and Back leads to the one before. */

import { effect, signal } from "@preact/signals";

export type TabId = "session" | "arrangement" | "clip" | "activity" | "setup" | "context";

/** `rest` is what a narrow page leaves out of the name. */
export const TABS: readonly { id: TabId; name: string; rest?: string }[] = [
  { id: "session", name: "Session" },
  { id: "arrangement", name: "Arrange", rest: "ment" },
  { id: "clip", name: "Clip" },
  { id: "activity", name: "Activity" },
  { id: "setup", name: "Setup" },
  { id: "context", name: "Context" },
];

function named(): TabId {
  return TABS.find(({ id }) => `#${id}` === location.hash)?.id ?? "session";
}

export const tab = signal<TabId>(named());

effect(() => {
  if (named() !== tab.value) history.pushState(null, "", `#${tab.value}`);
});

window.addEventListener("hashchange", () => {
  tab.value = named();
});
