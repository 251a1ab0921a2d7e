// Whether a game can lead to the position on the place Board.

import {post} from "../lib/api.js";
import {computed, effect, signal} from "../lib/view.js";
import {opening} from "../state/desk.js";
import {same} from "../state/study.js";
import {board, start} from "./desk.js";

const asked = signal({study: null, reason: ""});

// Why no game leads to the position on the board; "" where one may, or where that is open.
export const impossible = computed(() => same(asked.value.study, start.value) ? asked.value.reason : "");

let last = opening; // the study that was asked about; a game begins with the usual setup

async function ask(study) {
  last = study;
  const {reason} = await post("legal", {study}).catch(() => ({reason: ""})); // it is a note, and nobody waits for it
  if (last === study) asked.value = {study, reason};
}

// The studio takes two turns back: a position to which two have led needs no question.
effect(() => {
  const study = start.value;
  if (board.view.value && study.turns.length < 2 && !same(last, study)) ask(study);
});
