// What components are made of: markup as templates (htm), drawn by preact; hooks and signals.

import htm from "../vendor/htm.js";
import {h} from "../vendor/preact.js";

export {Component, Fragment, render} from "../vendor/preact.js";
export {useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState} from "../vendor/hooks.js";
export {batch, computed, effect, signal, useComputed, useSignal} from "../vendor/signals.js";

export const html = htm.bind(h);
