// The order of actions: those on the board happen one after the other, and an error is said where the person looks.

import {say} from "./dom.js";

let last = Promise.resolve();

// Runs one action after the other, and says what is wrong with one. The event "failed" tells the board.
export const inTurn = action => last = last.then(action).catch(error => {
  document.dispatchEvent(new Event("failed"));
  say(error.message);
});

// Runs an action after those on the board, which it does not hold up, and says what is wrong with it.
export const aside = action => async e => {
  e?.preventDefault();
  await last;
  try {
    await action();
  } catch (error) {
    say(error.message);
  }
};
