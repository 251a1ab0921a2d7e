// The page: it shows what the window has kept, and follows the studio.

import {html, render} from "./lib/view.js";
import {followAddress} from "./store/address.js";
import {begin} from "./store/desk.js";
import {applySettings} from "./store/settings.js";
import {connect} from "./store/studio.js";
import {addLetters} from "./ui/boards.js";
import {listenForKeys} from "./views/keys.js";
import {Page} from "./views/page.js";

addLetters(document.querySelector(".drawings"));
applySettings();
render(html`<${Page} />`, document.getElementById("page"));
listenForKeys();
connect();
begin().then(followAddress);
