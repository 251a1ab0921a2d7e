// library: to be written.

import {html} from "../lib/view.js";

export const LibraryPlace = () => html`<main class="place-library" />`;
