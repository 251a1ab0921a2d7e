// play: to be written.

import {html} from "../lib/view.js";

export const Play = () => html`<div class="card" />`;
