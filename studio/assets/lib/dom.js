// Elements of the page, the line that says what has happened, and numbers in words.

export const at = id => document.getElementById(id);
export const make = (parent, name, properties = {}) => {
  const e = Object.assign(document.createElement(name), properties);
  parent.append(e);
  return e;
};

export const say = text => at("status").textContent = text;

export const number = n => n.toLocaleString("en");
export const amount = (n, what) => `${number(n)} ${what}${n === 1 ? "" : "s"}`;

export const size = n => n < 2 ** 20 ? `${Math.ceil(n / 1024)} KiB` : `${(n / 2 ** 20).toFixed(1)} MiB`;

// Asks a person to confirm what cannot be undone.
export function confirmed(question) {
  at("confirm-text").textContent = question;
  at("confirm").showModal();
  return new Promise(done => {
    const decided = yes => {
      at("confirm").close();
      done(yes);
    };
    at("confirm-yes").onclick = () => decided(true);
    at("confirm-no").onclick = at("confirm").oncancel = () => decided(false);
  });
}
