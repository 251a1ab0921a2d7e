// Server-sent events as the studio writes them: lines that end with \n, an empty line after each event, and comments.

// The events that a text has completely, each with its name and data, and the rest of the text. What comes next is appended to
// the rest.
export function split(text) {
  const parts = text.split("\n\n"), rest = parts.pop(), events = [];
  for (const part of parts) {
    let name = "message";
    const data = [];
    for (const line of part.split("\n")) {
      const [, field, value] = /^([^:]*):? ?(.*)$/.exec(line);
      if (field === "event") name = value;
      if (field === "data") data.push(value);
    }
    if (data.length) events.push({name, data: JSON.parse(data.join("\n"))});
  }
  return {events, rest};
}
