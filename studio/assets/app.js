// The page: it shows what the window has kept, and follows the studio.

import {html, render} from "./lib/view.js";
import {followAddress} from "./store/address.js";
import {begin} from "./store/desk.js";
import {applySettings} from "./store/settings.js";
import {connect} from "./store/studio.js";
import {firstVisit} from "./store/training.js";
import {addLetters} from "./ui/boards.js";
import {listenForKeys} from "./views/keys.js";
import {listenForTexts} from "./views/open.js";
import {Page} from "./views/page.js";

// The place is decided on before a position is drawn.
const decided = location.hash ? Promise.resolve() : firstVisit();
addLetters(document.querySelector(".drawings"));
applySettings();
render(html`<${Page} />`, document.getElementById("page"));
listenForKeys();
listenForTexts();
connect();
decided.then(begin).then(followAddress);
