// What the page says: to those who look, in messages above the page; to those who listen; and in questions before what cannot be
// undone.

import {signal} from "../lib/view.js";
import {capital} from "../state/words.js";

export const toasts = signal([]); // messages {text, tone, action, onAction}, the newest first
export const heard = signal({text: "", count: 0}); // for screen readers
export const asked = signal(null); // {text, yes, no, decide}: a question
export const dialog = signal(""); // the dialog that is open: open, share, settings, keys, ...

// Says a text to screen readers: what has happened on the board, say.
export const say = text => {
  if (text) heard.value = {text, count: heard.value.count + 1};
};

const briefly = 10_000; // milliseconds
const most = 3; // messages at a time

// Takes a message away.
export const forget = message => toasts.value = toasts.value.filter(m => m !== message);

// Shows a message: {tone, action, onAction}, where tone is won, lost or "". It stays until it is closed, or newer ones take its
// place; one that is no error and offers no action goes after a while. Without a text, all messages go. Returns the message.
export function tell(text, more = {}) {
  const message = {text, ...more};
  toasts.value = text ? [message, ...toasts.value.filter(m => m.text !== text)].slice(0, most) : [];
  if (more.tone !== "lost" && !more.action) setTimeout(() => forget(message), briefly);
  return message;
}

// Shows what went wrong. Returns the message.
export const failed = error => {
  if (!(error instanceof Error)) throw error;
  return tell(capital(error.message), {tone: "lost"});
};

// An action whose errors are shown.
export const guarded = action => async (...all) => {
  try {
    return await action(...all);
  } catch (error) {
    failed(error);
  }
};

// An action that is not begun a second time while it runs: a button that is pressed twice makes one file, or one job.
export const once = action => {
  let runs = false;
  return async (...all) => {
    if (runs) return undefined;
    runs = true;
    try {
      return await action(...all);
    } finally {
      runs = false;
    }
  };
};

// Asks a person to confirm what cannot be undone; yes and no are what the buttons say.
export const confirmed = (text, yes = "Delete", no = "Keep") => new Promise(done => {
  asked.value?.decide(false);
  asked.value = {text, yes, no, decide: answer => {
    asked.value = null;
    done(answer);
  }};
});
