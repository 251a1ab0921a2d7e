// Whether a game can lead to the position on the place Board.

import {post} from "../lib/api.js";
import {computed, effect, signal} from "../lib/view.js";
import {same} from "../state/study.js";
import {board, start} from "./desk.js";

const rest = 300; // milliseconds that a position stands before the studio is asked
const asked = signal({study: null, reason: ""});

// Why no game leads to the position on the board; "" where one may, or where that is open.
export const impossible = computed(() => same(asked.value.study, start.value) ? asked.value.reason : "");

async function ask(study) {
  const {reason} = await post("legal", {study}).catch(() => ({reason: ""})); // it is a note, and nobody waits for it
  asked.value = {study, reason};
}

let timer = 0;

// The studio takes two turns back: a position to which two have led needs no question.
effect(() => {
  const study = start.value;
  clearTimeout(timer);
  if (board.view.value && study.turns.length < 2 && !same(asked.peek().study, study)) timer = setTimeout(() => ask(study), rest);
});
