// What the page says to those who look, and to those who listen.

import {html} from "../lib/view.js";
import {IconButton} from "./icons.js";
import {Button} from "./parts.js";

// Says a text to screen readers. The same text again is said again.
export function Announcer({text, count = 0}) {
  return html`<p class="unseen" role="status">${text}${count % 2 ? "\u00a0" : ""}</p>`;
}

// Short messages, {text, tone, action, onAction}, each perhaps with an action that answers it. onClose(message) takes one away.
export function Toasts({messages, onClose}) {
  const acts = m => () => (onClose(m), m.onAction());
  return html`<div class="toast" role="status" aria-atomic="false">${messages.map(m => html`<div key=${m.text} class="card ${m.tone || ""}">
    <p>${m.text}</p>${m.action && html`<${Button} onClick=${acts(m)}>${m.action}<//>`}
    <${IconButton} name="cross" label="Close the message" onClick=${() => onClose(m)} /></div>`)}</div>`;
}
