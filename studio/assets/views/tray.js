// The tray: the jobs and searches of the studio, those that run first.

import {html} from "../lib/view.js";
import {ending, names, progress, searches, tray} from "../state/jobs.js";
import {openJob} from "../store/open.js";
import {jobs, pause, stop} from "../store/studio.js";
import {Tray} from "../ui/tray.js";

export function Jobs() {
  const {running, waiting, ended} = tray(jobs.value);
  const pick = job => {
    document.getElementById("tray").hidePopover();
    openJob(job.id);
  };
  const told = list => list.map(job => ({...job, text: ending(job) || progress(job)}));
  const groups = [{label: "Running", jobs: told(running)}, {label: "Waiting", jobs: told(waiting)}, {label: "Trees", jobs: searches(jobs.value)},
    {label: "Ended", jobs: told(ended)}];
  return html`<${Tray} groups=${groups} names=${names} onPick=${pick} onStop=${job => (job.kind === "tree" ? pause : stop)(job.id)} />`;
}
