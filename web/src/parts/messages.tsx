import { dismiss, messages } from "../state/messages";

export function Messages(): preact.JSX.Element {
  return (
    <div class="messages" role="log" aria-label="Messages">
      {messages.value.map(({ id, text, tone }) => (
        <p key={id} class={`message ${tone}`}>
          <span>{text}</span>
          <button type="button" aria-label="Dismiss" onClick={() => dismiss(id)}>
            <svg viewBox="0 0 16 16" aria-hidden="true"><path d="M4 4l8 8m0-8l-8 8" /></svg>
          </button>
        </p>
      ))}
    </div>
  );
}
