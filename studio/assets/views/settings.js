// settings: to be written.

import {html} from "../lib/view.js";

export const PageSettings = () => html`<div class="card" />`;
