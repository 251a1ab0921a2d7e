// Times as clocks show them.

const two = n => String(n).padStart(2, "0");

// A number of seconds, rounded up: "1:05", "1:00:00"; "0:00" where none is left.
export function clockText(seconds) {
  const s = Math.max(0, Math.ceil(seconds)), minutes = Math.floor(s / 60);
  return minutes < 60 ? `${minutes}:${two(s % 60)}` : `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${two(s % 60)}`;
}
