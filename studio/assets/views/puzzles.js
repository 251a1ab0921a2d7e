// puzzles: to be written.

import {html} from "../lib/view.js";

export const keys = {title: "Puzzles", place: "puzzles", rows: []};
export const PuzzlesPlace = () => html`<main class="place-board" />`;
