/** Whether a key goes into a text that is being typed. */
export function isTyping(event: KeyboardEvent): boolean {
  const target = event.target as Element | null;
  return !!target?.closest('textarea, input:not([type="checkbox"]):not([type="range"]):not([type="radio"]), select');
}
