// verdict: to be written.

import {html} from "../lib/view.js";

export const Verdict = () => html`<div class="card" />`;
