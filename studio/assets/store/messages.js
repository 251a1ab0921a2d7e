// What the page says: to those who look, in a message above the page; to those who listen; and in questions before what cannot be
// undone.

import {signal} from "../lib/view.js";

export const toast = signal(null); // {text, tone, action, onAction}
export const heard = signal({text: "", count: 0}); // for screen readers
export const asked = signal(null); // {text, yes, no, decide}: a question
export const dialog = signal(""); // the dialog that is open: open, share, settings, keys, ...

// Says a text to screen readers: what has happened on the board, say.
export const say = text => {
  if (text) heard.value = {text, count: heard.value.count + 1};
};

// Shows a message. It stays until it is closed, or another one is shown. tone is won, lost or "".
export const tell = (text, more = {}) => toast.value = text ? {text, ...more} : null;

// Shows what went wrong.
export const failed = error => {
  if (!(error instanceof Error)) throw error;
  tell(error.message, {tone: "lost"});
};

// An action whose errors are shown.
export const guarded = action => async (...all) => {
  try {
    return await action(...all);
  } catch (error) {
    failed(error);
  }
};

// Asks a person to confirm what cannot be undone; yes and no are what the buttons say.
export const confirmed = (text, yes = "Delete", no = "Keep") => new Promise(done => {
  asked.value?.decide(false);
  asked.value = {text, yes, no, decide: answer => {
    asked.value = null;
    done(answer);
  }};
});
