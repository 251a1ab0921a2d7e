// The tray of jobs.

import {html} from "../lib/view.js";
import {SeenBoard} from "./boards.js";
import {Icon, IconButton} from "./icons.js";
import {EmptyState, Progress} from "./parts.js";

// The jobs of the studio in groups {label, jobs}, as its stream describes them (a Brief each), with text, how a job is in words.
// names are words for the kinds of jobs.
export function Tray({groups, names, onPick, onStop}) {
  const all = groups.filter(g => g.jobs.length);
  if (!all.length) return html`<${EmptyState} icon="tray" title="No jobs"
    text="Searches, reviews and games against the engine appear here while they run, and after." />`;
  return all.map(g => html`<section key=${g.label}><h3 class="head">${g.label} <span class="count">${g.jobs.length}</span></h3>
    <ul class="jobs" aria-label=${g.label}>${g.jobs.map(j => html`<${TrayJob} key=${j.id} job=${j} name=${names[j.kind] || j.kind} onPick=${onPick}
      onStop=${onStop} />`)}</ul></section>`);
}

function TrayJob({job, name, onPick, onStop}) {
  const over = job.state !== "running" && job.state !== "waiting", label = name + (job.label ? `: ${job.label}` : "");
  return html`<li class="job">
    <button type="button" class="pick" onClick=${() => onPick(job)}>
      ${job.position ? html`<${SeenBoard} position=${job.position} />` : html`<span class="mini none"><${Icon} name="board" /></span>`}
      <span class="words"><strong>${label}</strong><span class="dim">${job.text}</span></span></button>
    ${!over && html`<${IconButton} name="stop" label="Stop: ${label}" onClick=${() => onStop(job)} />`}
    ${!over && html`<${Progress} done=${job.done} total=${job.total} waits=${job.state === "waiting"} label="Progress of ${label}" />`}
  </li>`;
}
