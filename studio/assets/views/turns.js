// The card of the present game: its file, its turns, the comment on the one that is shown, and its review.

import {html, signal, useEffect, useRef} from "../lib/view.js";
import {edited, adopted, folded} from "../state/desk.js";
import {label} from "../state/study.js";
import * as tree from "../state/tree.js";
import {amount} from "../state/words.js";
import {edit, game, go, goTo, here, update, walk} from "../store/desk.js";
import {conflict, keepMine, nameError, newGame, saveAs, savedState, takeTheirs} from "../store/files.js";
import {confirmed, dialog} from "../store/messages.js";
import {about, reviewed, rows} from "../store/review.js";
import {Button, EmptyState} from "../ui/parts.js";
import {TurnList} from "../ui/turns.js";
import {Judged, ReviewButton, ReviewPart} from "./review.js";

const signs = [["", "no sign"], ["!", "! good"], ["!!", "!! brilliant"], ["!?", "!? interesting"], ["?!", "?! doubtful"], ["?", "? mistake"],
  ["??", "?? blunder"]];

const writing = signal(false); // the comment is open though there is none

// Writes about what the board shows, which becomes part of the game if it was only looked at.
const annotate = (fields, kind) => update(d => {
  const {game: g, node} = adopted(d);
  return edited(d, tree.annotate(g, node, fields), kind && `${kind} ${node}`);
});

async function cut() {
  const g = game.value, {node} = here.value, below = tree.size(g, node);
  const question = `Delete ${amount(below, "turn")}, with what is written about ${below === 1 ? "it" : "them"}?`;
  if ((below > 1 || g.nodes[node].comment) && !await confirmed(question)) return;
  if (game.value.nodes === g.nodes) await edit(now => tree.cut(now, node));
}

// What the board shows, as a turn with its label.
function shown() {
  const {node, looked} = here.value, played = [...tree.turns(game.value, node), ...looked];
  return played.length ? `${label(game.value, played.length - 1)} ${played.at(-1) || "pass"}` : "the first position";
}

function Comment() {
  const g = game.value, {node, looked} = here.value, {comment, sign} = looked.length ? {comment: "", sign: ""} : g.nodes[node];
  const field = useRef(), close = () => writing.value = false;
  useEffect(() => {
    if (writing.value) field.current.focus();
  }, []);
  return html`<section class="writing" aria-label="Comment">
    <label for="comment" class="dim">Comment on ${shown()}</label>
    <textarea id="comment" ref=${field} rows="2" value=${comment} onInput=${e => annotate({comment: e.currentTarget.value}, "comment")} />
    <p class="buttons"><select id="sign" aria-label="Sign" value=${sign} disabled=${!node && !looked.length}
        onChange=${e => annotate({sign: e.currentTarget.value})}>
        ${signs.map(([value, text]) => html`<option key=${value} value=${value}>${text}</option>`)}</select>
      <${Button} disabled=${looked.length > 0 || tree.isMain(g, node)} onClick=${() => edit(g => tree.promote(g, node))}>Make this the main line<//>
      <${Button} disabled=${!node || looked.length > 0} onClick=${cut}>Delete from here on<//>
      ${!comment && html`<${Button} onClick=${close}>Close<//>`}</p>
  </section>`;
}

// Says that the board shows turns that are not part of the game.
function Looked() {
  const {node, looked} = here.value;
  if (!looked.length) return null;
  const says = `${amount(looked.length, "turn")} shown that ${looked.length === 1 ? "is" : "are"} not part of the game`;
  return html`<p class="looked buttons"><span class="dim">${says}</span>
    <${Button} onClick=${() => edit((g, node) => ({game: g, node}))}>Add<//><${Button} onClick=${() => goTo(node)}>Back<//></p>`;
}

// The name of the file, which a person changes, and how the game is saved.
function File() {
  const {doc} = game.value, asks = conflict.value;
  const change = e => {
    const name = e.currentTarget.value.trim();
    if (name && name !== doc.name) saveAs(name);
    else e.currentTarget.value = doc.name;
  };
  return html`<header class="file">
    <input id="game-name" key="${game.value.id} ${doc.name}" maxlength="64" autocomplete="off" spellcheck=${false} aria-label="Name of the game"
      placeholder="Name, to save it" defaultValue=${doc.name} onChange=${change} onKeyDown=${e => e.key === "Enter" && e.currentTarget.blur()} />
    <span class="dim" role="status">${savedState.value}</span><${Button} onClick=${newGame}>New<//>
    ${nameError.value && html`<p class="lost" role="alert">${nameError.value}</p>`}
    ${asks && html`<p class="buttons"><${Button} onClick=${keepMine}>Keep this one as another game<//>
      ${asks.theirs && html`<${Button} onClick=${takeTheirs}>Take the other one<//>`}</p>`}
  </header>`;
}

export function Turns() {
  const g = game.value, {node, looked} = here.value, head = about(g.tags);
  const none = g.nodes.length === 1 && !g.nodes[0].comment, written = !looked.length && !!g.nodes[node].comment, open = writing.value || written;
  const write = () => { // the text gets the focus, also where it was open already: what is typed then is no key of the board
    writing.value = true;
    document.getElementById("comment")?.focus();
  };
  const walks = key => walk(key) && key, pick = to => typeof to === "string" ? go(to) : goTo(to);
  const parts = html`<${Looked} /><${Judged} />${open && html`<${Comment} />`}<${ReviewPart} />`;
  return html`<div class="card gamecard">
    ${head && html`<h2 title=${head}>${head}</h2>`}<${File} />
    ${none ? html`<div class="game"><${EmptyState} icon="board" title="No turns yet"
        text="Play a turn on the board, or open a game: Ctrl+O, or paste it." />${parts}</div>`
      : html`<${TurnList} rows=${rows.value} current=${node} walk=${walks} onPick=${pick}
        onFold=${i => update(d => folded(d, i))}>${parts}<//>`}
    <footer class="buttons"><${ReviewButton} filled=${!none && !reviewed.value} /><${Button} icon="edit" aria-expanded=${open}
        onClick=${write}>Comment<//>
      <${Button} icon="share" onClick=${() => dialog.value = "share"}>Share<//></footer>
  </div>`;
}
