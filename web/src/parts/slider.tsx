/**
 * A fader, a pan or a send: the browser's own range, so that keys and readers of the screen know it. What is dragged in
 * one go is one gesture, and so one step of undo; keys that follow each other are one too.
 */

import { useRef, useState } from "preact/hooks";
import { Gesture } from "../state/acts";

interface Props {
  class: string;
  label: string;
  min?: number;
  value: number;
  isVertical?: boolean;
  text: (value: number) => string;
  onValue: (value: number, gesture: string) => Promise<boolean>;
  /** What a double-click goes back to. */
  reset: number;
}

/** After what rest a gesture is over: of keys, and of the pointer, so that a double-click is one. */
const KEYS_END_MS = 700;
const POINTER_END_MS = 600;

export function Slider(props: Props): preact.JSX.Element {
  const [draft, setDraft] = useState<number | null>(null);
  const gesture = useRef<Gesture | null>(null);
  const isPressed = useRef(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const value = draft ?? props.value;
  const send = (next: number): void => {
    setDraft(next);
    gesture.current ??= new Gesture();
    gesture.current.send((name) => props.onValue(next, name));
  };
  const endAfter = (rest: number): void => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => void end(), rest);
  };
  const end = async (): Promise<void> => {
    const ended = gesture.current;
    if (!ended) return;
    gesture.current = null;
    await ended.end();
    // Unless the next gesture has begun.
    if (!gesture.current) setDraft(null);
  };
  return (
    <input
      type="range"
      class={`slider ${props.class}${props.isVertical ? " vertical" : ""}`}
      aria-label={props.label}
      aria-valuetext={props.text(value)}
      title={`${props.label}: ${props.text(value)}`}
      min={props.min ?? 0}
      max={1}
      step={0.005}
      value={value}
      onPointerDown={() => {
        isPressed.current = true;
        clearTimeout(timer.current);
      }}
      onPointerUp={() => {
        isPressed.current = false;
        endAfter(POINTER_END_MS);
      }}
      onPointerCancel={() => {
        isPressed.current = false;
        endAfter(POINTER_END_MS);
      }}
      onInput={(event) => {
        send(event.currentTarget.valueAsNumber);
        if (!isPressed.current) endAfter(KEYS_END_MS);
      }}
      onDblClick={() => {
        send(props.reset);
        endAfter(POINTER_END_MS);
      }}
    />
  );
}
