/** The shapes that the device answers with: `/api/view`, `/api/calls`, `/api/events` and `/config`. Beats are quarters. */

export type TrackKind = "midi" | "audio" | "group" | "return" | "main";

export interface Track {
  id: string;
  /** `t0`, `rt0` (a return) or `mt` (the main track). */
  path: string;
  kind: TrackKind;
  name: string;
  color: string | null;
  groupId: string | null;
  isFolded: boolean;
  isMuted: boolean;
  isSoloed: boolean | null;
  /** `null` where it cannot be armed. */
  isArmed: boolean | null;
  /** `null` is silence. */
  volumeDb: number | null;
  /** -1 (left) to 1. */
  pan: number;
  /** In the order of the returns. */
  sends: { gainDb: number | null }[];
  sounds: string | null;
}

export interface Scene {
  id: string;
  path: string;
  name: string;
  color: string | null;
  tempoBpm: number | null;
  meter: string | null;
}

/** `[trackIndex, sceneIndex, clipId, name, colorIndex, lengthBeats, isAudio, isLooped, isMuted, noteCount]` */
export type SlotRow = [number, number, string, string, number, number, boolean, boolean, boolean, number | null];

/** `[clipId, trackIndex, startBeat, endBeat, name, colorIndex, isAudio, isMuted]` */
export type ArrangedRow = [string, number, number, number, string, number, boolean, boolean];

export interface Locator {
  id: string;
  beat: number;
  name: string;
}

export interface Song {
  name: string;
  tempoBpm: number;
  meter: string;
  isPlaying: boolean;
  isLedByDaw: boolean;
  metronome: boolean;
  loop: { isOn: boolean; startBeat: number; lengthBeats: number };
  songTimeBeats: number;
  startTimeBeats: number;
  scale: { isOn: boolean; rootNote: number; name: string };
  historyStep: number;
  canUndo: boolean;
  canRedo: boolean;
}

export interface Host {
  kind: string;
  name: string;
  /** Whether the Set of this host can be shown; if not, `reason` says why. */
  showsSet: boolean;
  isReachable?: boolean;
  reason: string | null;
}

export interface Selection {
  trackId: string | null;
  sceneId: string | null;
  clipId: string | null;
}

export interface View {
  revision: number;
  lastEventId: string;
  host: Host;
  palette: string[];
  song: Song | null;
  tracks: Track[];
  scenes: Scene[];
  slots: SlotRow[];
  arrangement: { lengthBeats: number; locators: Locator[]; clips: ArrangedRow[] };
  selection: Selection | null;
  playback: Playback | null;
}

export interface Playback {
  isPlaying: boolean;
  isLedByDaw?: boolean;
  beat: number;
  tempoBpm: number;
  meter: string;
  /** `[trackIndex, sceneIndex, positionBeats, startBeat, lengthBeats, clipId]` */
  playing: [number, number, number, number, number, string][];
  /** `[trackIndex, sceneIndex]`, the scene -1 where a stop waits. */
  waiting: [number, number][];
  stopped: number[];
  /** Left and right peak of each track, in the view's order; empty while nothing is heard. */
  meters: [number, number][];
  lufs: number | null;
  selection?: Selection | null;
}

export interface Notes {
  pitch: number[];
  startBeat: number[];
  lengthBeats: number[];
  velocity: number[];
  probability: number[];
  isMuted: boolean[];
}

export interface Waveform {
  file: string;
  seconds: number;
  channels: number;
  isWarped: boolean;
  peaks: [number, number][];
  why: string | null;
  beats?: [number, number][];
}

export interface ClipView {
  revision: number;
  id: string;
  path: string;
  trackId: string;
  name: string;
  color: string | null;
  isAudio: boolean;
  isMuted: boolean;
  meter: string;
  lengthBeats: number;
  loop: { isOn: boolean; startBeat: number; lengthBeats: number };
  markers: { startBeat: number; endBeat: number };
  notes: Notes | null;
  padNames: Record<string, string>;
  waveform: Waveform | null;
  /** Of an unwarped audio clip all beats are seconds. */
  isInSeconds?: boolean;
}

export interface Call {
  id: number;
  at: string;
  client: string;
  via: string;
  tool: string;
  arguments: Record<string, unknown> | null;
  /** The beginning of arguments that are too long to be kept. */
  argumentsCut: string | null;
  line: string;
  milliseconds: number;
  status: number;
  isError: boolean;
  warnings: string[];
  historyStep: number | null;
  /** The step that this one stands on; those between the two are gone. */
  followsStep: number | null;
  isDryRun: boolean;
  /** What its caller did in one go, such as a drag; one step of undo. */
  gesture?: string | null;
  changed: Changed[];
}

export interface Changed {
  id: string;
  path: string;
  class?: string;
  kind?: "made" | "deleted" | "changed" | "moved";
}

export interface SetEvent {
  revision: number;
  tool: string;
  label: string;
  who: string;
  client?: string;
  historyStep: number | null;
  changed: Changed[];
  readAnew: boolean;
}

/** Work that outlasts its call. */
export interface Job {
  id: string;
  tool: string;
  title: string;
  state: "waiting" | "running" | "done" | "failed" | "cancelled";
  progress?: { done: number; total?: number; text: string };
  /** Why there is no answer. */
  detail?: string;
}

export interface Hello {
  instance: string;
  revision: number;
  gap: boolean;
}

export interface Settings {
  projectContext: string;
  sampleFolder: string;
  smallModelMode: boolean;
  jsonOutput: boolean;
  liveApiEnabled: boolean;
  notation: string;
  tools: string[];
  port: number;
  timeoutMs: number;
  allowedFolders: string[];
  hostChoice: string;
  ownClock: boolean;
  sound: boolean;
  midiOut: boolean;
  instance: string;
  version: string;
  tokenRequired: boolean;
  listeningPort: number | null;
  saveFailure: string | null;
  heldState: string | null;
  permissionRequest: { text: string } | null;
  recovery: { newerChanges: number } | null;
  /** How the Set is heard, in words. */
  soundStatus: { text: string; isUnheard: boolean };
  host?: { kind?: string; live?: { text?: string } };
  /** Every tool that `tools` may name. */
  availableTools: { name: string; title: string }[];
  /** How far the index of the sample folders is. */
  sampleFolderStatus: string | null;
}
