// What components are made of: html writes elements, render shows them, signals hold what they show. preact, htm and signals are
// in the folder vendor, and this module is the only one that joins them.

import {h} from "../vendor/preact.js";
import htm from "../vendor/htm.js";

// html`<p class=${name}>${text}</p>` is an element. A text never becomes markup.
export const html = htm.bind(h);

export {Component, Fragment, createContext, render} from "../vendor/preact.js";
export * from "../vendor/hooks.js";
export * from "../vendor/signals.js"; // signal, computed, effect, batch, untracked, useSignal, useComputed, useSignalEffect
