// The settings of the page, which the studio keeps: GET /api/settings.

import {get, post} from "../lib/api.js";
import {on} from "../lib/events.js";
import {effect, signal} from "../lib/view.js";
import {guarded} from "./messages.js";

export const settings = signal({theme: "", pieces: "", coordinates: true, sounds: false, animate: true, analysis: false, width: 5});

// Changes a setting, at once on the page and then in the studio.
export const change = guarded(async (name, value) => {
  const before = settings.value[name];
  settings.value = {...settings.value, [name]: value};
  try {
    settings.value = await post("settings", {[name]: value});
  } catch (error) {
    settings.value = {...settings.value, [name]: before};
    throw error;
  }
});

const load = async () => settings.value = await get("settings");

// Loads the settings, and applies colours and pieces to the page. It follows what other windows change.
export function applySettings() {
  effect(() => {
    const {theme, pieces} = settings.value, {dataset} = document.documentElement;
    for (const [name, value] of [["theme", theme], ["pieces", pieces]]) value ? dataset[name] = value : delete dataset[name];
  });
  const follow = () => load().catch(() => {}); // the stream says what is wrong
  follow();
  on("file", ({kind}) => kind === "settings" && follow()); // another window has changed them
  on("ready", follow); // or did while this one was hidden
}
