// The tray of jobs.

import {html} from "../lib/view.js";
import {MiniBoard} from "./boards.js";
import {Icon, IconButton} from "./icons.js";
import {EmptyState, Progress} from "./parts.js";

// The jobs of the studio, as its stream describes them (a Brief each). names are words for the kinds of jobs.
export function Tray({jobs, names, onPick, onStop}) {
  if (!jobs.length) return html`<${EmptyState} icon="tray" title="No jobs"
    text="Searches, reviews and games against the engine appear here while they run, and after." />`;
  return html`<ul class="jobs">${jobs.map(j => html`<${TrayJob} key=${j.id} job=${j} name=${names[j.kind] || j.kind} onPick=${onPick}
    onStop=${onStop} />`)}</ul>`;
}

function TrayJob({job, name, onPick, onStop}) {
  const over = job.state !== "running" && job.state !== "waiting";
  const state = job.state === "waiting" ? job.waits_for ? `Waits for ${job.waits_for}` : "Waiting"
    : job.says || (job.total ? `${job.done} of ${job.total}` : job.trying ? `Is there a win in ${job.trying}?` : "Running");
  return html`<li class="job">
    <button type="button" class="pick" onClick=${() => onPick(job)}>
      ${job.position ? html`<${MiniBoard} position=${job.position} />` : html`<span class="mini none"><${Icon} name="board" /></span>`}
      <span class="words"><strong>${name}${job.label && `: ${job.label}`}</strong><span class="dim">${state}</span></span></button>
    ${!over && html`<${IconButton} name="stop" label="Stop: ${name}" onClick=${() => onStop(job)} />`}
    ${!over && html`<${Progress} done=${job.done} total=${job.total} waits=${job.state === "waiting"} label="Progress of ${name}" />`}
  </li>`;
}
