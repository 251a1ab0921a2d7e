// The database in the Library: its games, findings, puzzles, openings and statistics, with a form that says which.

import {html, signal, useEffect} from "../lib/view.js";
import {score, setUp} from "../state/library.js";
import {amount, number} from "../state/words.js";
import {visit} from "../store/address.js";
import {openStudy} from "../store/desk.js";
import {answer, asking, clear, fields, fill, fillHere, info, loadInfo, query, sorts, train, unfold, waits} from "../store/library.js";
import {guarded} from "../store/messages.js";
import {onBoard, openFound, openStored} from "../store/open.js";
import {facts} from "../store/studio.js";
import {MiniBoard} from "../ui/boards.js";
import {Pages, Rows} from "../ui/lists.js";
import {Button, Chips, EmptyState, Progress, Tabs} from "../ui/parts.js";

const tabs = [["games", "Games"], ["findings", "Findings"], ["puzzles", "Puzzles"], ["openings", "Openings"], ["stats", "Statistics"]];

const endings = ["", "goal", "immobilisation", "elimination", "resignation", "time", "forfeit", "illegal turn", "repetition",
  "score", "abandonment", "draw"];
const findings = ["", "any", "missed", "first-win", "delays", "misses", "throws-away", "loses", "allows", "only-defence", "decided"];
const trained = ["first-win", "delays", "misses", "throws-away", "missed"]; // findings about a win of the side to move
const choice = {
  result: ["", "gold", "silver", "draw", "undecided", "none", "won", "lost"], ending: endings, finding: findings,
};

// The fields of the form: a caption, and an example of what it takes. Those of the first list stand in front.
const captions = {
  player: ["Player", "ann, bot_*"], date: ["Date", "2020-06..2021"], result: ["Result", ""], ending: ["Ending", ""], turns: ["Turns", "..40"],
  finding: ["Finding of a review", ""], here: ["The position on the board"],
  opponent: ["Opponent", "bob"], gold: ["Gold", "ann"], silver: ["Silver", "bot_*"], rating: ["Rating", "1800..2200"],
  event: ["Event", "world league"], source: ["File", "games.tsv"],
  name: ["Name in the file", "669124"], number: ["Number", "17"], setup: ["Setup", "?H????H?/????????"],
  win_in: ["Win in", "1..2"], material: ["Pieces", "EHR3-emr"], endgame: ["Endgame", "DCR-dr"], pattern: ["Pattern", "Eb6 !rc7"],
  game_number: ["Number of the game", "17"], themes: ["Themes", "push, goal"], difficulty: ["Difficulty", "5..7.5"],
  twins: ["Same turns as another game"], unique: ["A single first turn wins"], all: ["Also ideas met before"],
  mirrored: ["Mirror images count"], exchanged: ["Exchanged colours count"],
};
const first = ["player", "date", "result", "ending", "turns", "finding", "here", "themes", "difficulty"];
const checked = ["here", "twins", "unique", "all", "mirrored", "exchanged"];

const spread = signal(false); // the form: all its fields are seen
const picked = signal(""); // the row that was opened last

export function Database({filters, filter, onFilter, tab: named}) {
  const f = facts.value;
  useEffect(() => {
    if (!f?.library) return;
    loadInfo().catch(() => {}); // the answer below says what is wrong
  }, [f?.library]);
  const tab = tabs.some(([id]) => id === named) ? named : asking.value.tab;
  useEffect(() => {
    if (f?.library) query(tab === asking.value.tab ? {from: asking.value.from} : {tab});
  }, [f?.library, tab]);
  const kinds = html`<${Chips} label="Kinds" options=${filters} value=${filter} pick=${onFilter} />`;
  if (f && !f.library) return html`<section class="searchlist" aria-label="Database"><div class="bar">${kinds}</div><${EmptyState} icon="library"
    title="No database" text="A database answers questions about thousands of games: goalproof library import games.db FILE makes one, and goalproof
      studio --library games.db opens it." /></section>`;
  const show = id => visit({place: "library", kind: "database", name: id});
  const content = html`<${Form} tab=${tab} /><${Answer} tab=${tab} />`;
  return html`<section class="searchlist database" aria-label="Database"><div class="bar">${kinds}<${Info} /></div>
    <${Tabs} id="database" label="Parts of the database" value=${tab} pick=${show}
      tabs=${tabs.map(([id, label]) => ({id, label, content}))} /></section>`;
}

function Info() {
  const i = info.value;
  if (!i) return null;
  const dates = i.first_date && (i.first_date === i.last_date ? i.first_date : `${i.first_date} to ${i.last_date}`);
  const facts = [amount(i.games, "game"), amount(i.players, "player"), dates, `${number(i.reviewed)} reviewed`, amount(i.puzzles, "puzzle")];
  return html`<p class="dim"><strong>${i.name}</strong>${`: ${facts.filter(Boolean).join(", ")}`}</p>`;
}

const words = {games: "game", findings: "finding", puzzles: "puzzle"};

// How many rows answer, where that is known.
function counted(tab, {from, rows, more, total = more ? undefined : from + rows.length}) {
  return words[tab] && total !== undefined ? amount(total, words[tab]) : "";
}

// The form: what is typed is asked when the field is left, or with Enter. The fields that are seldom used are folded until they
// ask something; on small screens all are.
function Form({tab}) {
  const {fields: given, sort, falling} = asking.value, all = fields[tab], a = answer.value?.tab === tab ? answer.value : {rows: []};
  const set = all.filter(n => given[n]).length, has = name => all.includes(name);
  const trains = a.rows.length > 0 && (tab === "puzzles" || tab === "findings" && trained.includes(given.finding));
  const input = name => {
    const [caption, example] = captions[name], id = `ask-${name}`, change = value => fill({[name]: value});
    const seldom = first.includes(name) || given[name] ? "" : "seldom";
    if (checked.includes(name)) return html`<label key=${name} class="check ${seldom}" for=${id}><input id=${id} type="checkbox"
      checked=${!!given[name]} onChange=${e => (name === "here" ? fillHere : change)(e.currentTarget.checked)} />
      ${name === "here" && given.here ? html`<${MiniBoard} position=${given.here.position} />This position` : caption}</label>`;
    const values = choice[name]?.filter(v => !(tab === "findings" && name === "finding" && v === "any"));
    return html`<label key=${name} class=${seldom} for=${id}><span class="dim">${caption}</span>
      ${values ? html`<select id=${id} value=${given[name] || ""} onChange=${e => change(e.currentTarget.value)}>
        ${values.map(v => html`<option key=${v} value=${v}>${v || "any"}</option>`)}</select>`
      : html`<input id=${id} value=${given[name] || ""} placeholder=${example} autocomplete="off" maxlength="500"
        onChange=${e => change(e.currentTarget.value)} />`}</label>`;
  };
  return html`<form class=${spread.value ? "asking spread" : "asking"} onSubmit=${e => e.preventDefault()}>
    <div class="bar"><${Button} aria-expanded=${spread.value} aria-controls="asked" onClick=${() => spread.value = !spread.value}>All filters${
      set > 0 && html` <span class="tag">${set} set</span>`}<//><${Button} disabled=${!set} onClick=${clear}>Clear<//>
    ${sorts[tab] && html`<label for="ask-sort" class="check order"><span class="dim">Sorted by</span><select id="ask-sort"
      value=${sorts[tab].includes(sort) ? sort : "id"} onChange=${e => query({sort: e.currentTarget.value})}>
      ${sorts[tab].map(s => html`<option key=${s} value=${s}>${s === "id" ? "number" : s}</option>`)}</select></label>
      <label class="check order" for="ask-falling"><input id="ask-falling" type="checkbox" checked=${falling}
        onChange=${e => query({falling: e.currentTarget.checked})} />the highest first</label>`}
    <span class="dim" role="status">${!waits.value && !a.error && a.tab && counted(tab, a)}</span>
    ${waits.value && a.tab && html`<${Progress} label="The database is asked" />`}
    ${trains && html`<${Button} icon="puzzle" disabled=${waits.value} onClick=${train}>Train on these<//>`}</div>
    <div id="asked" class="filters">${first.filter(has).map(input)}${all.filter(n => !first.includes(n)).map(input)}</div></form>`;
}

const pick = {games: openStored, findings: openStored, puzzles: guarded(({item}) => openFound(item))};

// What to do where nothing answers.
function missing(tab) {
  if (tab === "findings" && info.value?.reviewed === 0) return "No game has been reviewed: goalproof library review looks for missed wins.";
  if (tab === "puzzles" && info.value?.puzzles === 0) return "The database has no puzzles: goalproof library mine finds them in its games.";
  return fields[tab].some(n => asking.value.fields[n]) ? "Ask for less: clear a field of the form." : "The database has none.";
}

// The rows, groups or branches that answer.
function Answer({tab}) {
  const a = answer.value;
  if (a?.tab !== tab) return html`<${Progress} label="Asking the database" />`;
  if (a.error) return html`<p class="error" role="alert">${a.error}</p>`;
  const {finding} = asking.value.fields;
  return html`<div class="answers" aria-busy=${waits.value}>
    ${tab === "findings" && a.rows.length > 0 && !trained.includes(finding) && html`<p class="dim">To train on findings, choose a kind in which the
      side to move had a win, such as “missed”.</p>`}
    ${tab === "openings" ? html`<${Openings} tree=${a.tree} />` : !(a.groups || a.rows).length ? html`<${EmptyState} icon="search"
      title="Nothing found" text=${missing(tab)} />` : tab === "stats" ? html`<${Statistics} ...${a} />`
      : html`<${Rows} label=${tabs.find(([id]) => id === tab)[1]} rows=${a.rows} current=${picked.value}
        onPick=${row => (picked.value = row.id, pick[tab](row))} />`}
    <${Pages} from=${a.from} count=${a.rows.length || a.groups?.length || a.tree?.branches.length || 0} size=${50} total=${a.total} more=${a.more}
      onFrom=${from => query({from})} /></div>`;
}

// What was played from a position, or how sides set up. A branch leads further.
function Openings({tree: t}) {
  const {gold, silver, line, fields: {here}} = asking.value;
  const setups = !t.position, whole = t.branches.map((b, i) => ({id: `${i}`, label: b.setup || b.turn,
    position: b.position || (setups ? boardOf(gold, b.setup) : ""), note: score(b), kind: setups ? gold ? "silver" : "gold" : "turn", b}));
  const go = ({b}) => unfold(setups ? gold ? {gold, silver: b.setup} : {gold: b.setup} : {gold, silver, line: [...line, b.turn]});
  const back = () => unfold(line.length ? {gold, silver, line: line.slice(0, -1)} : silver ? {gold} : {});
  const said = [gold && `Gold ${gold}`, silver && `Silver ${silver}`, ...line].filter(Boolean);
  const shown = guarded(async () => {
    const from = here ? here.study : {position: setUp(gold, silver), number: 2, turns: [], steps: ""};
    await onBoard(() => openStudy({...from, turns: [...from.turns, ...line]}));
  });
  return html`<div class="bar">${t.position && html`<${MiniBoard} position=${t.position} />`}<div class="words">
    <strong>${setups ? gold ? "How Silver set up then" : "How Gold set up" : "What was played from here"}</strong>
    <span class="dim">${score(t)}${t.ended > 0 && `; ${number(t.ended)} ended here`}</span>
    ${said.length > 0 && html`<span class="dim">${said.join(", ")}</span>`}</div>
    <span class="buttons"><${Button} icon="back" disabled=${!gold && !line.length} onClick=${back}>Back<//>
    ${!setups && html`<${Button} icon="board" onClick=${shown}>Show on the board<//>`}</span></div>
    ${whole.length ? html`<${Rows} label="Branches" rows=${whole} onPick=${go} />` : html`<${EmptyState} icon="search" title="No game went further"
      text="Go back, or clear a field of the form." />`}`;
}

// A board with setups alone; where a record has no full setup, none.
const boardOf = (gold, setup) => {
  const none = "        /        ", [g, s] = gold ? [gold, setup] : [setup, none];
  return g.length === 17 && s.length === 17 ? setUp(g, s) : "";
};

const groups = ["player", "opponent", "setup", "side", "rating", "year", "month", "event", "turns", "ending", "source", "all"];

const heads = ["Group", "Games", "Won", "Lost", "Other", "Mean turns", "Rating", "Endings"];
const endingsOf = g => Object.entries(g.endings).sort((a, b) => b[1] - a[1]).map(([name, n]) => `${name || "unknown"} ${number(n)}`).join(", ");

function Statistics({groups: found, seated}) {
  const cell = n => n === null ? "" : number(n);
  return html`<div class="bar"><label class="check" for="ask-by"><span class="dim">Games by</span><select id="ask-by" value=${asking.value.by}
      onChange=${e => query({by: e.currentTarget.value})}>${groups.map(g => html`<option key=${g} value=${g}>${g}</option>`)}</select></label>
    <span class="dim">${seated ? "Won and lost are results of the player of a row." : "Won and lost are Gold's results."}</span></div>
    <div class="wide" tabIndex="0" role="region" aria-label="Statistics"><table>
    <thead><tr>${heads.map(h => html`<th key=${h} scope="col">${h}</th>`)}</tr></thead>
    <tbody>${found.map((g, i) => html`<tr key=${i}><th scope="row">${g.group ?? "unknown"}</th>
      ${[cell(g.games), cell(g.won), cell(g.lost), cell(g.other), g.mean_turns.toFixed(1), g.rating, endingsOf(g)].map((text, k) =>
        html`<td key=${k}>${text}</td>`)}</tr>`)}</tbody></table></div>`;
}
