// tray: to be written.

import {html} from "../lib/view.js";

export const Jobs = () => html`<div class="card" />`;
