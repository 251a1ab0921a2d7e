// files: to be written.

import {get} from "../lib/api.js";
import * as documents from "../state/documents.js";
import * as tree from "../state/tree.js";
import {opens, visit} from "./address.js";
import {openGame} from "./desk.js";

export async function openFile(name, at) {
  const {version, game} = await get("games/" + encodeURIComponent(name));
  const g = {...game, tags: game.tags || {}, doc: documents.open({name, version})};
  await openGame(g, at ? tree.nodeAt(g, at) : undefined);
  visit({place: "board"});
}

opens("game", ({name, at}) => openFile(name, at));
