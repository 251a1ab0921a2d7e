// Every component with sample data, by the query of the address: board, puzzles, library, parts. What the components say is in
// `events`; data.json is what a studio answers about examples of the project.

import {html, render, useMemo, useRef, useState} from "/assets/lib/view.js";
import {addLetters, Board, MiniBoard, Palette, Piece} from "/assets/ui/boards.js";
import {Dialog, KeysHelp, OpenDialog, Settings} from "/assets/ui/dialogs.js";
import {Header} from "/assets/ui/header.js";
import {Icon, IconButton} from "/assets/ui/icons.js";
import {SearchList} from "/assets/ui/lists.js";
import {Announcer, Toasts} from "/assets/ui/messages.js";
import {Button, Chips, EmptyState, Lines, Tabs} from "/assets/ui/parts.js";
import {StrengthBar, Strip, Transport} from "/assets/ui/play.js";
import {Shelf, TaskCard} from "/assets/ui/puzzles.js";
import {Sheet} from "/assets/ui/sheet.js";
import {Tray} from "/assets/ui/tray.js";
import {ReviewGraph, TurnList} from "/assets/ui/turns.js";
import {VerdictCard} from "/assets/ui/verdict.js";
import * as tree from "/assets/state/tree.js";

globalThis.events = [];
const event = name => (...all) => void events.push([name, ...all.map(a => a?.id || a?.key || (a instanceof Event ? a.type : a))]);

const data = await (await fetch("/gallery/data.json")).json();
addLetters(document.querySelector(".drawings"));
const query = new URLSearchParams(location.search);

// A game with comments and variations.
const nodes = [{parent: -1, turn: "", sign: "", comment: ""}, ...data.turns.map((turn, i) => ({parent: i, turn, sign: "", comment: ""}))];
const end = nodes.length;
nodes[4].sign = "!";
nodes[7].comment = "The camel is lost in the trap on c3: no friend stands beside it any more.";
nodes[end - 4].sign = "?";
nodes[end - 3].sign = "??";
nodes[end - 3].comment = "A goal in three steps was there.";
nodes.push({parent: 5, turn: "Ed3n Ed4n Ed5n", sign: "!?", comment: ""}, {parent: end, turn: "ee7w", sign: "", comment: "Silver is slow here."},
  {parent: 5, turn: "Ed3n", sign: "", comment: ""}, {parent: end - 4, turn: data.turns[end - 4].split(" ")[0], sign: "", comment: ""});
const gameOf = nodes => ({position: "g [" + " ".repeat(64) + "]", number: 1, tags: {}, nodes});
const label = i => i === 0 ? "start" : (1 + (i - 1 >> 1)) + "gs"[(i - 1) % 2];
const chances = data.turns.map((_, i) => i === 0 ? null : 0.5 + 0.18 * Math.sin(i / 3) - i / 160).concat(0.02);
chances[end - 4] = 0.3;
const moments = [{at: 6, tone: "won", text: "gold wins a camel"}, {at: end - 4, tone: "lost", text: "gold 41 % → 30 %"}, {at: end - 3, tone: "lost",
  text: "misses a goal"}];

const places = [{id: "board", label: "Board", icon: "board"}, {id: "puzzles", label: "Puzzles", icon: "puzzle"}, {id: "library", label: "Library",
  icon: "library"}];
const jobs = [
  {id: "kqzvbm-4", kind: "solve", state: "running", position: data.puzzles[1], label: "", text: "Is there a win in 4?"},
  {id: "kqzvbm-3", kind: "verify", state: "running", position: "", label: "composed", text: "12 of 40", done: 12, total: 40},
  {id: "kqzvbm-2", kind: "review", state: "waiting", position: data.puzzles[0], label: "alice against bob", 
    text: "Waiting for memory: verify (kqzvbm-3) has it."},
  {id: "kqzvbm-1", kind: "solve", state: "done", position: data.puzzles[2], label: "", text: "Proved: gold wins in 2 turns."},
];
const groups = [["Running", jobs.slice(0, 2)], ["Waiting", jobs.slice(2, 3)], ["Ended", jobs.slice(3)]].map(([label, jobs]) => ({label, jobs}));
const jobNames = {solve: "Win?", verify: "Set", review: "Review"};
const keyGroups = [{title: "Board", keys: [[["←", "→"], "turn back, turn forward"], [["Home", "End"], "first and last position"], [["f"],
  "flip the board"], [["e"], "end the turn"]]},
  {title: "Page", keys: [[["Ctrl", "V"], "open what was copied"], [["?"], "these keys"], [["Esc"], "close what is open"]]}];

function Page({place, children}) {
  const [open, setOpen] = useState("");
  const close = () => setOpen("");
  const recent = data.puzzles.slice(0, 2).map((position, i) => ({id: "r" + i, position, label: ["win-in-2", "elimination"][i],
    note: "position, gold to move"}));
  return html`<div class="page"><${Header} places=${places} place=${place} onPlace=${event("place")}>
    <button type="button" class="quiet" onClick=${() => setOpen("open")}><${Icon} name="open" />Open</button>
    <button type="button" class="quiet" popovertarget="tray"><${Icon} name="tray" />Jobs<span class="bubble">2</span>
      <span class="unseen"> running</span></button>
    <${IconButton} name="settings" label="Settings" onClick=${() => setOpen("settings")} /><${IconButton} name="question" label="Keys" keys="?"
      class="quiet only keyboard" onClick=${() => setOpen("keys")} /><//>
    ${children}
    <div id="tray" popover class="drawer" role="dialog" aria-label="Jobs"><${Tray} groups=${groups} names=${jobNames} onPick=${event("job")}
      onStop=${event("stop job")} /></div>
    <${OpenDialog} id="open" open=${open === "open"} onClose=${close} recent=${recent} onText=${event("text")} onFile=${event("file")}
      onRecent=${event("recent")} />
    <${KeysHelp} id="keys" open=${open === "keys"} onClose=${close} groups=${keyGroups} />
    <${Dialog} id="settings" title="Settings" open=${open === "settings"} onClose=${close}><${SampleSettings} /><//>
    <${Announcer} text="The page is ready." />
  </div>`;
}

function SampleSettings() {
  const [values, set] = useState({theme: "system", pieces: "drawn", coordinates: true, animated: true});
  const change = (name, value) => {
    set({...values, [name]: value});
    if (name === "theme") value === "system" ? delete document.documentElement.dataset.theme : document.documentElement.dataset.theme = value;
    if (name === "pieces") document.documentElement.dataset.pieces = value;
  };
  const choice = all => all.split(" ").map(id => ({id, label: id}));
  return html`<${Settings} id="set" values=${values} onChange=${change} fields=${[{name: "theme", label: "Colours",
    options: choice("system light dark contrast")},
    {name: "pieces", label: "Pieces", options: choice("drawn flat letters")}, {name: "coordinates", label: "Coordinates",
      note: "on the squares of the edge"}, {name: "animated", label: "Animate turns"}]} />`;
}

const solution = data.line.map((turn, i) => ({key: i, label: data.labels[i], turn, note: i ? "" : "threatens a goal"}));

const toasts = [{text: "The comment has been saved in alice-bob.", action: "Undo", onAction: event("undo")},
  {text: "The file alice-bob.game was damaged: it has been set aside as alice-bob.game.damaged, and the game is the one that was saved before.",
    tone: "lost"}];

function BoardPlace() {
  const [current, show] = useState(end - 1), [game, setGame] = useState(() => tree.fold(gameOf(nodes), end - 3, true)),
    [tab, setTab] = useState("line"),
    [ask, setAsk] = useState("2");
  const [part, setPart] = useState("answer"), [height, setHeight] = useState("half"), [flipped, setFlipped] = useState(false),
    [at, setAt] = useState(0);
  const [running, setRunning] = useState(query.get("state") === "runs"), [played, setPlayed] = useState(null),
    [messages, setMessages] = useState(query.has("toast") ? toasts : []);
  const board = useRef();
  const setCurrent = i => (setGame(tree.reveal(game, i)), show(i));
  const fold = i => setGame(tree.reveal(tree.fold(game, i, !game.nodes[i].folded), current)); // the current turn stays in the list
  const rows = useMemo(() => tree.rows(game), [game]);
  const tabs = [{id: "line", label: "Line", content: html`<${Lines} label="The line" items=${solution} current=${at} onPick=${i => setAt(i.key)} />`},
    {id: "solutions", label: "Solutions", count: 1, content: html`<${Lines} label="Solutions" items=${[{...solution[0], label: "1",
      note: "the only one", tone: "won"}]} onPick=${event("solution")} />`},
    {id: "defences", label: "Defences", content: html`<${EmptyState} icon="question" title="Every reply"
      text="Lists what follows each reply to the winning turn." ><${Button} filled onClick=${event("defences")}>Show the defences<//><//>`},
    {id: "tree", label: "Tree", content: "The search as a tree."}, {id: "tries", label: "Near tries", count: 3,
      content: "First turns that leave few defences."}];
  const asks = {label: "Win?", value: ask, options: ["1", "2", "3"].map(n => ({id: n, label: "in " + n})).concat({id: "any", label: "any number"})};
  const answer = running
    ? html`<${VerdictCard} id="verdict" tone="runs" badge="Searching" sentence="Is there a win in 4?"
      note="Known so far: no win in 3 turns (the third repetition set aside)." progress=${{text: "1,204,331 nodes, 12 s"}}
      onStop=${() => (event("stop")(), setRunning(false))} asks=${asks} ask=${setAsk} />`
    : html`<${VerdictCard} id="verdict" tone="won" badge="Proved" sentence="Gold wins in 2 turns." note="1,204 nodes, 0.8 s; kept in the workspace."
      asks=${asks} ask=${id => (setAsk(id), setRunning(true))} tabs=${tabs} tab=${tab} onTab=${id => (event("tab")(id), setTab(id))} >
      <${Button} onClick=${event("certificate")}>Write a certificate<//><${Button} onClick=${event("note")}>Write it down in the game<//><//>`;
  const turns = html`<div class="card"><${TurnList} rows=${rows} current=${current} walk=${key => tree.walk(game, current, key)}
    onPick=${i => (event("turn")(i), setCurrent(i))} onFold=${fold} />
    <${ReviewGraph} chances=${chances} labels=${chances.map((_, i) => label(i))} moments=${moments} current=${Math.min(current, end - 1)}
      onPick=${setCurrent} /></div>`;
  const parts = [{id: "answer", label: "Answer", content: answer}, {id: "game", label: "Game", content: turns}];
  globalThis.animate = () => setPlayed({squares: data.before.squares, turn: data.played});
  const act = {choose: event("choose"), move: event("move"), drop: event("drop"), mark: event("mark"),
    key: (square, key) => key === "x" && (event("key")(square, key), true)};
  const go = name => setCurrent(Math.max(0, Math.min(end - 1, {first: 0, back: current - 1, forward: current + 1, last: end - 1}[name])));
  return html`<${Page} place="board"><main class="place-board">
    <${StrengthBar} chance=${0.42} flipped=${flipped} />
    <${Strip} side=${flipped ? "gold" : "silver"} name=${flipped ? "alice" : "bob"} rating="1874" clock=${754} lost=${flipped ? "MHC" : "rc"}
      toMove=${flipped} />
    <${Board} view=${flipped ? data.flipped : played ? data.after : data.arrows} flipped=${flipped} played=${played} chosen="d6" targets=${["d7",
      "c6"]} act=${act} hold=${b => board.current = b} />
    <${Strip} side=${flipped ? "silver" : "gold"} name=${flipped ? "bob" : "alice"} rating="1902" clock=${3661} lost=${flipped ? "rc" : "MHC"}
      toMove=${!flipped} />
    <${Transport} go=${name => (event("go")(name), go(name))} at=${{first: !current, back: !current, forward: current >= end - 1,
      last: current >= end - 1}} flipped=${flipped} onFlip=${() => setFlipped(!flipped)} onEdit=${event("edit")} onPlay=${event("play")} />
    <${Sheet} label="About the position" parts=${parts} part=${part} onPart=${setPart} height=${height} onHeight=${setHeight} />
  </main><${Toasts} messages=${messages} onClose=${m => setMessages(messages.filter(other => other !== m))} /><//>`;
}

function PuzzlesPlace() {
  const [state, setState] = useState(query.get("state") || "wrong"), [current, setCurrent] = useState("p1"), [part, setPart] = useState("task"),
    [height, setHeight] = useState("half");
  const puzzles = Array.from({length: 24}, (_, i) => ({id: "p" + i, position: data.puzzles[i % data.puzzles.length], label: `Puzzle ${i + 1}`,
    note: `win in ${2 + i % 2}, difficulty ${(2 + i / 7).toFixed(1)}`, state: ["solved", "", "helped", "tried"][i % 5] || ""}));
  const says = {wrong: "Silver answers with the dog and holds.", ask: "Play the turn on the board, and end it.",
    solved: "Solved in 46 s, with one hint."}[state];
  const task = html`<${TaskCard} id="task" title="Puzzle 2 of 24, difficulty 4.8" task="Gold wins in 2 turns." state=${state} says=${says}
    hints=${[{label: "Hint", text: "The elephant begins."}]} nextHint="the step" streak=${4}
    themes=${["quiet", "zugzwang"]} onHint=${event("hint")} onSolution=${state !== "solved" && (() => setState("solved"))}
      onAgain=${state === "wrong" && (() => setState("ask"))}
      onNext=${event("next")} />`;
  const shelf = html`<div class="card"><${Shelf} title="Examples" note="9 of 24 solved" puzzles=${puzzles} current=${current}
    onPick=${p => (event("puzzle")(p), setCurrent(p.id))}>
    <${Chips} label="Puzzles to show" options=${[{id: "all", label: "all"}, {id: "open", label: "unsolved"}, {id: "2", label: "in 2"}, {id: "3",
      label: "in 3"}]} value="all" pick=${event("filter")} /><//></div>`;
  const parts = [{id: "task", label: "Task", content: task}, {id: "shelf", label: "Shelf", content: shelf}];
  return html`<${Page} place="puzzles"><main class="place-board">
    <${StrengthBar} chance=${null} /><${Strip} side="silver" name="Silver" /><${Board} view=${state === "solved" ? data.solved : data.view}
      stamp=${state === "ask" ? null : {square: "d7", good: state === "solved"}} act=${{}} /><${Strip} side="gold" name="Gold" toMove />
    <${Transport} go=${event("go")} onFlip=${event("flip")} />
    <${Sheet} label="The puzzle" parts=${parts} part=${part} onPart=${setPart} height=${height} onHeight=${setHeight} /></main><//>`;
}

function LibraryPlace() {
  const [current, setCurrent] = useState("1"), [filter, setFilter] = useState("all"), [sought, setSought] = useState({text: "", from: 0});
  const rows = Array.from({length: 30}, (_, i) => ({id: "" + i, position: i % 4 === 3 ? "" : data.puzzles[i % data.puzzles.length],
    label: ["alice against bob", "composed", "win in 2 by elimination", "archive 2026"][i % 4],
    note: ["38 turns, silver won by goal", "12 puzzles", "certificate, checked", "10,074 games"][i % 4], kind: ["game", "set", "certificate",
      "archive"][i % 4]})).filter(r => filter === "all" || r.kind === filter);
  return html`<${Page} place="library"><main class="place-library"><${SearchList} id="library" label="Library" rows=${rows} filters=${["all", "game",
    "set", "certificate", "archive"].map(id => ({id, label: id === "all" ? "all" : id + "s"}))}
    filter=${filter} onFilter=${setFilter} sought=${sought} onSought=${setSought} current=${current} onPick=${r => setCurrent(r.id)} /></main><//>`;
}

// What the places do not show.
function Parts() {
  const [letter, setLetter] = useState("E"), [tab, setTab] = useState("one");
  return html`<main class="parts"><h1>Parts</h1>
    <h2>Badges</h2>${[["won", "Proved", "Gold wins in 2 turns."], ["lost", "Disproved", "Gold has no win in 3 turns."], ["open", "Unknown",
      "Time is up: no win in 4 turns."], ["waits", "Waiting", "Waits for memory: verify (kqzvbm-3) has it."]].map(([tone, badge, sentence]) =>
      html`<${VerdictCard} key=${tone} id="v-${tone}" tone=${tone} badge=${badge} sentence=${sentence} action=${{label: "Solve",
        onClick: event("solve")}} asks=${{label: "Win?", options: [{id: "2", label: "in 2"}], value: ""}} ask=${event("ask")} />`)}
    <h2>Pieces</h2>${["drawn", "flat", "letters"].map(set => html`<div key=${set} class="set" data-pieces=${set}><div class="small">
      <${Board} view=${data.view} coordinates=${set !== "flat"} label="Squares, ${set}" act=${{}} /></div>
      <p>${[..."EMHDCRemhdcr"].map(l => html`<${Piece} key=${l} letter=${l} />`)}</p><${MiniBoard} position=${data.puzzles[0]} /></div>`)}
    <h2>Set up</h2><${Palette} chosen=${letter} choose=${setLetter} drag=${event("drag")} />
    <h2>Bars</h2><div class="bars">${[-1, -0.4, 0, 0.7, 1, null].map(c => html`<${StrengthBar} key=${c} chance=${c} />`)}</div>
    <h2>Tabs and empty places</h2><${Tabs} id="tabs" label="Sample" value=${tab} pick=${setTab} tabs=${[{id: "one", label: "One",
      content: html`<${EmptyState} icon="puzzle" title="No puzzles yet" text="Open a set, or mine one from your games.">
      <${Button} filled>Open a set<//><//>`}, {id: "two", label: "Two", content: "Second."}]} />
    <h2>Exercise</h2><${TaskCard} id="t" title="Puzzle 1 of 24" task="Silver wins in 3 turns." state="solved"
      says="Solved in 46 s, without a mistake." streak=${5} themes=${["quiet"]} />
    <h2>Jobs</h2><${Tray} groups=${[]} names=${{}} /><${Toasts} messages=${[]} /></main>`;
}

// A list of 200 turns: its rows, how many of them change with the current turn, and the time of both in milliseconds.
globalThis.measure = () => {
  const many = [nodes[0], ...Array.from({length: 200}, (_, i) => ({parent: i, turn: nodes[1 + i % (end - 1)].turn, sign: "",
    comment: ""}))], all = tree.rows(gameOf(many)), box = document.createElement("div");
  document.body.append(box);
  const draw = current => {
    const began = performance.now();
    render(html`<${TurnList} rows=${all} current=${current} />`, box);
    return performance.now() - began;
  };
  const first = draw(200), found = new MutationObserver(() => {});
  found.observe(box, {subtree: true, attributes: true, childList: true});
  const next = draw(197), changed = new Set(found.takeRecords().map(r => r.target.closest("li"))).size, rows = box.querySelectorAll(".pair").length;
  render(null, box);
  box.remove();
  return {rows, changed, first, next};
};

const Place = {puzzles: PuzzlesPlace, library: LibraryPlace, parts: Parts}[query.get("place")] || BoardPlace;
render(html`<${Place} />`, document.getElementById("page"));
