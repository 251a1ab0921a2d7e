// match: to be written.

import {signal} from "../lib/view.js";

export const players = signal(null);
