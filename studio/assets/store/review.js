// Reviews: to be written.

import {wholeLine} from "../state/desk.js";
import {desk} from "./desk.js";
import {begin} from "./studio.js";

export const reviewGame = () => begin({kind: "review", study: wholeLine(desk.value)});
