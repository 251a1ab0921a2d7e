// The mode Play of the board: games against the engine, and with clocks.

import {html, signal} from "../lib/view.js";
import {over, progress} from "../state/jobs.js";
import * as play from "../state/play.js";
import {setMode} from "../store/desk.js";
import {kept} from "../store/kept.js";
import {answer, back, clocked, match, moveNow, newGame, played, resign, seen, stopGame, takeBack, thinking} from "../store/match.js";
import {reviewGame} from "../store/review.js";
import {facts} from "../store/studio.js";
import {Icon} from "../ui/icons.js";
import {Button, Chips, Progress} from "../ui/parts.js";

const proofs = kept("proofs", was => !!was);

// Leads to the end of the game, and reviews it.
async function review() {
  await back();
  setMode("analyse");
  await reviewGame();
}

const Proofs = ({who, text}) => html`<label class="check"><input type="checkbox" checked=${proofs.value}
    onChange=${e => proofs.value = e.currentTarget.checked} /> Show what ${who} has proved</label>
  ${proofs.value && text && html`<p class="proved">${text}</p>`}`;

// A game that is played: what it has come to, and children, its buttons. wait is null or {done, total, text, waits}.
const Game = ({title, says, wait, proof, children}) => html`<section class="card settles match-card" aria-labelledby="play-says">
  <div class="answer"><p class="dim">${title}</p>
    <div class="told" role="status"><h2 id="play-says" class="sentence">${says}</h2></div>
    ${wait && html`<div class="searching"><${Progress} ...${wait} label="Time of the engine" /><span class="dim">${wait.text}</span></div>`}
    <div class="buttons">${children}</div>${proof}</div>
  <details class="again"><summary><${Icon} name="right" />New game</summary><${NewGame} /></details>
</section>`;

const Back = () => !seen.value && html`<${Button} filled onClick=${back}>Back to the game<//>`;
const Review = ({turns}) => turns > 0 && html`<${Button} filled=${seen.value} onClick=${review}>Review this game<//>`;

// How long the engine has thought.
function waiting(m) {
  const job = thinking.value;
  if (!m.job || !job) return null;
  if (job.state === "waiting") return {waits: true, text: progress(job)};
  return {done: Math.min(job.seconds, m.seconds), total: m.seconds, text: `${job.seconds.toFixed(0)} s of ${m.seconds}`};
}

function Match() {
  const m = match.value, turns = m.study.turns.length;
  return html`<${Game} title="You play ${m.side}, goalproof plays ${m.side === "gold" ? "silver" : "gold"}" says=${play.words(m, seen.value)}
      wait=${waiting(m)} proof=${html`<${Proofs} who="the engine" text=${m.proof} />`}>
    <${Back} />${m.job && html`<${Button} onClick=${moveNow}>Move now<//>`}
    ${play.whose(m) === "engine" && !m.job && html`<${Button} filled=${seen.value} onClick=${answer}>Let the engine move<//>`}
    ${m.end && html`<${Review} turns=${turns} />`}
    <${Button} disabled=${!play.takenBack(m)} onClick=${takeBack}>Take back<//>
    <${Button} disabled=${!!m.end} onClick=${resign}>Resign<//><//>`;
}

function Clocked() {
  const job = played.value;
  if (clocked.value.gone) return html`<${Game} title="A game with clocks" says="The studio does not have this game any more.">
    <${Back} /><${Review} turns=${clocked.value.study.turns.length} /><//>`;
  if (!job) return html`<${Game} title="A game with clocks" says="Asking the studio how the game stands." />`;
  const {Gold, Silver} = play.tags(play.seats(job)), ended = over(job), mine = Object.values(play.seats(job)).includes("you");
  return html`<${Game} title="${Gold} against ${Silver}, ${job.request.clock}" says=${play.stands(job, seen.value)}
      proof=${html`<${Proofs} who="goalproof" text=${job.game?.proof} />`}>
    <${Back} />${ended && html`<${Review} turns=${clocked.value.study.turns.length} />`}
    ${!ended && mine && html`<${Button} disabled=${!play.yours(job)} onClick=${resign}>Resign<//>`}
    ${!ended && html`<${Button} onClick=${stopGame}>Stop the game<//>`}<//>`;
}

// What the form of a new game has; null: as the studio suggests.
const form = kept("new", was => ({kind: "engine", side: "gold", seconds: "5", setup: "usual", placed: "", gold: "you", silver: null,
  control: "30s/5m/100/10m/8h", ...was}));
const fault = signal("");
const beginning = signal(false);

const kinds = [{id: "engine", label: "Against the engine"}, {id: "clocks", label: "With clocks"}];
const sides = [{id: "gold", label: "Gold"}, {id: "silver", label: "Silver"}];
const setups = {usual: "the usual one", chosen: "chosen by the engine, for both", typed: "typed, and the engine chooses its own",
  board: "the position on the board"};

const set = name => value => {
  form.value = {...form.value, [name]: value};
  fault.value = "";
};

const Choice = ({id, label, name, value = form.value[name], options}) => html`<label>${label} <select id=${id} value=${value}
  onChange=${e => set(name)(e.currentTarget.value)}>${Object.entries(options).map(([key, text]) =>
    html`<option key=${key} value=${key}>${text}</option>`)}</select></label>`;

const Text = ({id, label, name, ...rest}) => html`<label>${label} <input id=${id} value=${form.value[name]}
  onInput=${e => set(name)(e.currentTarget.value)} ...${rest} /></label>`;

function Engine({setup, placed}) {
  return html`<${Chips} label="You play" caption="You play" options=${sides} value=${form.value.side} pick=${set("side")} />
    <${Text} id="play-seconds" label="The engine's seconds for a turn" name="seconds" type="number" min="0.1" max="86400" step="any" />
    <${Choice} id="play-setup" label="Setup" name="setup" options=${setups} />
    ${setup === "typed" && html`<label>Your pieces, such as Ra1 Rb1 Cc1 <textarea id="play-placed" rows="3" spellcheck="false" value=${placed}
      onInput=${e => set("placed")(e.currentTarget.value)} /></label>`}`;
}

function Clocks({setup, silver}) {
  const programs = facts.value?.programs || [], players = Object.fromEntries(["you", "goalproof", ...programs].map(name => [name, name]));
  const {typed, ...rest} = setups;
  return html`<${Choice} id="play-gold" label="Gold" name="gold" options=${players} />
    <${Choice} id="play-silver" label="Silver" name="silver" value=${silver} options=${players} />
    <${Text} id="play-control" label="Time control" name="control" spellcheck="false" required aria-describedby="play-parts" />
    <${Choice} id="play-setup" label="Setup" name="setup" value=${setup === "typed" ? "usual" : setup} options=${rest} />
    <p id="play-parts" class="dim">${play.control(form.value.control) || `The parts are: for each turn, in reserve, percent of unused time that goes
      to the reserve, greatest reserve, for the game, longest turn. The first two are enough: 15s/90s.`}</p>
    ${!programs.length && html`<p class="dim">Other programs can play, too: start the studio with <code>--program</code>.</p>`}`;
}

function NewGame() {
  const f = {...form.value, silver: form.value.silver ?? (facts.value?.programs[0] || "goalproof")};
  const begins = async e => {
    e.preventDefault();
    fault.value = "";
    beginning.value = true;
    const details = e.currentTarget.closest("details");
    try {
      await newGame(f);
      if (details) details.open = false;
    } catch (error) {
      fault.value = error.message;
    }
    beginning.value = false;
  };
  return html`<form class="new-game" onSubmit=${begins}><div class="fields">
    <${Chips} label="Kind of game" options=${kinds} value=${f.kind} pick=${set("kind")} />
    ${f.kind === "engine" ? html`<${Engine} ...${f} />` : html`<${Clocks} ...${f} />`}
    <pre class="error" role="alert" tabindex=${fault.value ? 0 : undefined} aria-label="What is wrong with the new game">${fault.value}</pre></div>
    <div class="buttons"><button type="submit" class=${match.value || clocked.value ? "quiet" : "filled"} disabled=${beginning.value}>
      Begin</button></div></form>`;
}

// What belongs to the mode: the game, and a form for a new one.
export function Play() {
  if (match.value) return html`<${Match} />`;
  if (clocked.value) return html`<${Clocked} />`;
  return html`<section class="card settles" aria-labelledby="play-title"><div class="answer"><h2 id="play-title">New game</h2>
    <${NewGame} /></div></section>`;
}
