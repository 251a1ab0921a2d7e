// The tree of a game as rows of two columns. Nodes are as the studio has them: parent, turn, sign, comment; the first node is
// the first position, and the first child of a node continues its line.

export function children(nodes) {
  const all = nodes.map(() => []);
  nodes.forEach((n, i) => n.parent >= 0 && all[n.parent].push(i));
  return all;
}

// The rows of a game that begins with turn `number` of a side. `folded` says of a node whether the variations in its place are
// folded. A row is of a kind: "turns" (number, and for gold and silver the node or -1, its turn and its sign), "comment" (node,
// text) or "fold" (node, count, open); depth is that of the variation. Rows consist of plain values and have a key.
export function rows(nodes, number, side, folded) {
  const kids = children(nodes), all = [];
  const comment = (node, depth) => nodes[node].comment && all.push({kind: "comment", key: "c" + node, depth, node, text: nodes[node].comment});
  const line = (first, before, depth) => {
    let row = null;
    for (let i = first, ply = before; i !== undefined; i = kids[i][0], ply++) {
      const {turn, sign, parent} = nodes[i], gold = ply % 2 === 0;
      if (gold || !row) {
        const none = {gold: -1, goldTurn: "", goldSign: "", silver: -1, silverTurn: "", silverSign: ""};
        row = {kind: "turns", key: "t" + i, depth, number: number + (ply >> 1), ...none};
        all.push(row);
      }
      Object.assign(row, gold ? {gold: i, goldTurn: turn || "pass", goldSign: sign} : {silver: i, silverTurn: turn || "pass", silverSign: sign});
      const others = i === kids[parent][0] ? kids[parent].slice(1) : [];
      if (comment(i, depth)) row = null;
      if (!others.length) continue;
      row = null;
      const open = !folded(i);
      all.push({kind: "fold", key: "f" + i, depth, node: i, count: others.length, open});
      if (open) for (const other of others) line(other, ply, depth + 1);
    }
  };
  comment(0, 0);
  line(kids[0][0], side === "silver" ? 1 : 0, 0);
  return all;
}

// The nodes in whose place there are variations that lead to a node: these are never folded while it is shown.
export function around(nodes, node) {
  const kids = children(nodes), all = [];
  for (let i = node; i > 0; i = nodes[i].parent) if (kids[nodes[i].parent][0] !== i) all.push(kids[nodes[i].parent][0]);
  return all;
}

// The node to which a key leads from another one: along its line, or to the variation beside it. Undefined: nowhere.
export function neighbour(nodes, from, key) {
  const kids = children(nodes), {parent} = nodes[from], beside = kids[parent] || [];
  switch (key) {
    case "ArrowLeft": return parent >= 0 ? parent : undefined;
    case "ArrowRight": return kids[from][0];
    case "ArrowUp": return beside[beside.indexOf(from) - 1];
    case "ArrowDown": return beside[beside.indexOf(from) + 1];
    case "Home": return 0;
    case "End":
      while (kids[from].length) from = kids[from][0];
      return from;
  }
}
