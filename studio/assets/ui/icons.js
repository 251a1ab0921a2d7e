// Icons, drawn for the studio: lines on a field of 24 by 24. A button that has nothing else in it has a label.

import {html} from "../lib/view.js";

const paths = {
  check: "M5 12.5 10 17.5 19.5 7", cross: "M6 6 18 18M18 6 6 18", question: "M8.5 9a3.6 3.6 0 1 1 5.4 3.1c-1.3.8-1.9 1.5-1.9 2.9M12 18.6v.2",
  first: "M6 5v14M18 5 9 12l9 7", back: "M15.5 5 7 12l8.5 7", forward: "M8.5 5 17 12l-8.5 7", last: "M18 5v14M6 5l9 7-9 7",
  flip: "M7 4v14M3.5 14.5 7 18l3.5-3.5M17 20V6M13.5 9.5 17 6l3.5 3.5", edit: "M4 20l1-4.5L16.5 4l3.5 3.5L8.5 19 4 20M14 6.5 17.5 10",
  play: "M7 4.5v15L19 12Z", stop: "M7 7h10v10H7Z", tray: "M4 13l2.5-8h11L20 13v6H4ZM4 13h5l1.5 2.5h3L15 13h5",
  settings: "M4 7h9M17 7h3M4 17h3M11 17h9M15 4.5v5M9 14.5v5", open: "M12 15V4M7.5 8.5 12 4l4.5 4.5M4 15v5h16v-5",
    wait: "M12 7v5.5l3.5 2M12 3.5a8.5 8.5 0 1 0 .1 0",
  down: "M6 9.5l6 6 6-6", right: "M9.5 6l6 6-6 6", light: "M9 17.5c0-2.5-3-4-3-7.5a6 6 0 0 1 12 0c0 3.5-3 5-3 7.5ZM9.5 21h5",
    search: "M10.5 4.5a6 6 0 1 0 .1 0M15 15l5 5",
  undo: "M9 6 4.5 10.5 9 15M5 10.5h9a5 5 0 0 1 0 10h-3", redo: "M15 6l4.5 4.5L15 15M19 10.5h-9a5 5 0 0 0 0 10h3",
  mark: "M12 4a8 8 0 1 0 .1 0M12 9a3 3 0 1 0 .1 0", share: "M8 8h-3v12h14v-12h-3M12 15V3.5M8.5 7 12 3.5 15.5 7",
  board: "M4 4h16v16H4ZM4 12h16M12 4v16", puzzle: "M12 3l2.4 6 6.1.4-4.7 4 1.5 6L12 16l-5.3 3.4 1.5-6-4.7-4 6.1-.4Z",
    bin: "M5 7h14M10 7V4.5h4V7M7 7l1 13h8l1-13M10.5 10.5v6M13.5 10.5v6", save: "M12 4v11M7.5 10.5 12 15l4.5-4.5M4 15v5h16v-5",
    library: "M5 4v16M9.5 4v16M14 4.5 18.5 20M5 20h4.5M5 4h4.5",
};

export const Icon = ({name}) => html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><path d=${paths[name]} /></svg>`;

// A button with an icon alone; the label is its name and its tooltip.
export const IconButton = ({name, label, keys, ...rest}) =>
  html`<button type="button" class="quiet only" aria-label=${label} title=${keys ? `${label} (${keys})` : label} ...${rest}>
    <${Icon} name=${name} /></button>`;
