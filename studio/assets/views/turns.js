// turns: to be written.

import {html} from "../lib/view.js";

export const Turns = () => html`<div class="card" />`;
