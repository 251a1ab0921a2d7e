// The options of a search, folded.

import {html} from "../lib/view.js";
import {choose, options} from "../store/answers.js";
import {board} from "../store/desk.js";

export const Switch = ({name, text}) => html`<label class="check"><input type="checkbox" checked=${options.value[name]}
  onChange=${e => choose(name, e.currentTarget.checked)} />${text}</label>`;

// A number; an empty field stands for 0.
const NumberField = ({text, value, set, placeholder, max}) => html`<label class="row">${text}<input type="number" min="1" max=${max}
  value=${value || (placeholder ? "" : value)} placeholder=${placeholder} onChange=${e => set(Math.max(0, +e.currentTarget.value || 0))} /></label>`;

export const Search = () => html`<details class="search"><summary>Search</summary><div class="choices">
  <label class="row">Algorithm<select value=${options.value.algorithm} onChange=${e => choose("algorithm", e.currentTarget.value)}>
    <option value="dfpns">dfpns: fast, all threads</option><option value="pns">pns: best first, one thread</option></select></label>
  <${NumberField} text="Time, in seconds" value=${options.value.seconds} max="86400" set=${n => choose("seconds", n || 60)} />
  <${NumberField} text="Threads" value=${options.value.threads} max="1024" placeholder="all" set=${n => choose("threads", Math.round(n))} />
  <${NumberField} text="Memory, in MiB" value=${options.value.memory} placeholder="a quarter" set=${n => choose("memory", Math.round(n))} />
  <${Switch} name="all" text="Every solution" /><${Switch} name="any" text="The first win found will do" />
  ${!board.view.value?.unusual.length && html`<${Switch} name="unusual" text="Although no game leads here" />`}
  <${Switch} name="defends" text="When a turn ends, the defence answers with its best reply" /></div></details>`;
