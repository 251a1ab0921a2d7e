// answers: to be written.

import {begin, followed} from "./studio.js";

export const tryTurn = async (study, turn, win_in) => followed((await begin({kind: "try", study, turn, win_in})).id);
