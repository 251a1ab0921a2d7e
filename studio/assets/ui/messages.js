// What the page says to those who look, and to those who listen.

import {html} from "../lib/view.js";
import {IconButton} from "./icons.js";
import {Button} from "./parts.js";

// Says a text to screen readers. The same text again is said again.
export function Announcer({text, count = 0}) {
  return html`<p class="unseen" role="status">${text}${count % 2 ? "\u00a0" : ""}</p>`;
}

// A short message, with an action that answers it. It stays until it is closed, or something else is said.
export function Toast({text, tone = "", action, onAction, onClose}) {
  return html`<div class="toast" role="status">${text && html`<div class="card ${tone}"><p>${text}</p>
    ${action && html`<${Button} onClick=${onAction}>${action}<//>`}<${IconButton} name="cross" label="Close the message" onClick=${onClose} /></div>`}
      </div>`;
}
