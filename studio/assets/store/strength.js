// strength: to be written.

import {signal} from "../lib/view.js";

export const strength = signal({chance: null, proved: ""});
