// edit: to be written.

import {html} from "../lib/view.js";

export const editing = {};
export const palette = {hold() {}};
export const Edit = () => html`<div class="card" />`;
