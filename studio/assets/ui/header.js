// The head of the page.

import {html} from "../lib/view.js";
import {Icon} from "./icons.js";

// places are {id, label, icon}; actions are buttons.
export const Header = ({places, place, onPlace, children}) => html`<header class="top"><h1>goalproof</h1>
  <nav aria-label="Places">${places.map(p => html`<button type="button" key=${p.id} class="place" aria-current=${p.id === place ? "page" : undefined}
    onClick=${() => onPlace(p.id)}>
    <${Icon} name=${p.icon} />${p.label}</button>`)}</nav><div class="actions">${children}</div></header>`;
