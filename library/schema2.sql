-- Version 2: what reviews found out, and puzzles that were mined.

-- With what games were reviewed.
CREATE TABLE reviewing (
	id            INTEGER PRIMARY KEY,
	version       INTEGER NOT NULL, -- of the reviews of the program
	win_in        INTEGER NOT NULL, -- the longest wins looked for, in turns
	nodes         INTEGER NOT NULL, -- for each turn
	effort        INTEGER NOT NULL, -- nodes for each search of an evaluation; 0: no evaluations
	defence_nodes INTEGER NOT NULL, -- for each turn that gives a win in two or more
	algorithm     TEXT    NOT NULL,
	endgames      TEXT    NOT NULL, -- the classes of the endgame tables that were there
	UNIQUE (version, win_in, nodes, effort, defence_nodes, algorithm, endgames)
) STRICT;

CREATE TABLE review (
	id        INTEGER PRIMARY KEY,
	game      INTEGER NOT NULL REFERENCES game,
	reviewing INTEGER NOT NULL REFERENCES reviewing,
	latest    INTEGER NOT NULL, -- 1 for the review of its game that was made or asked for last, otherwise 0
	open      INTEGER NOT NULL, -- positions with an open question
	nodes     INTEGER NOT NULL,
	ms        INTEGER NOT NULL, -- that it took
	chances   TEXT,             -- Gold's before each turn and at the end, JSON; NULL: no evaluations
	answers   BLOB    NOT NULL, -- all of the review, as the package review writes it
	UNIQUE (game, reviewing)
) STRICT;
CREATE INDEX review_latest ON review (game) WHERE latest;

-- What the latest review of a game found out.
CREATE TABLE finding (
	game   INTEGER NOT NULL REFERENCES game,
	at     INTEGER NOT NULL, -- turns before it
	kind   TEXT    NOT NULL,
	side   TEXT    NOT NULL, -- gold, silver: whose finding it is
	rating INTEGER,          -- of that side
	turns  INTEGER NOT NULL, -- of the win in question
	exact  INTEGER NOT NULL, -- 1: no fewer turns suffice; 0: at most so many
	label  TEXT    NOT NULL, -- of the turn: 34g
	played TEXT    NOT NULL, -- '' at the end of the game
	better TEXT    NOT NULL, -- a turn that wins, or holds; '' if none is known
	PRIMARY KEY (game, at, kind)
) WITHOUT ROWID, STRICT;
CREATE INDEX finding_kind ON finding (kind, turns, side, rating);

-- Positions from which the latest review of a game proves a win, with the history of the game.
CREATE TABLE proof (
	game   INTEGER NOT NULL REFERENCES game,
	at     INTEGER NOT NULL, -- turns before it
	winner TEXT    NOT NULL, -- gold, silver
	turns  INTEGER NOT NULL, -- of the winner; 0: the game is over
	exact  INTEGER NOT NULL, -- 1: no fewer turns suffice; 0: at most so many
	PRIMARY KEY (game, at)
) WITHOUT ROWID, STRICT;

-- With what games were mined.
CREATE TABLE mining (
	id      INTEGER PRIMARY KEY,
	version INTEGER NOT NULL, -- of the mining of the program
	win_in  INTEGER NOT NULL, -- the length of the wins looked for, in turns
	nodes   INTEGER NOT NULL, -- for each position
	UNIQUE (version, win_in, nodes)
) STRICT;

CREATE TABLE mined (
	game   INTEGER NOT NULL REFERENCES game,
	mining INTEGER NOT NULL REFERENCES mining,
	open   INTEGER NOT NULL, -- positions that the nodes did not decide
	PRIMARY KEY (game, mining)
) WITHOUT ROWID, STRICT;

-- What is known of a puzzle that was mined from a game of the library.
CREATE TABLE origin (
	puzzle     INTEGER PRIMARY KEY REFERENCES puzzle,
	game       INTEGER NOT NULL REFERENCES game,
	at         INTEGER NOT NULL,          -- turns before it
	idea       INTEGER REFERENCES puzzle, -- the first puzzle that shows its idea; NULL: this is it
	pieces     INTEGER NOT NULL,
	replies    INTEGER NOT NULL,          -- to the solution
	tries      INTEGER NOT NULL,          -- other turns that threaten to win at once, and fail
	quiet      INTEGER NOT NULL,          -- 1: the solution threatens nothing
	winning    INTEGER NOT NULL,          -- turns that win
	first      INTEGER NOT NULL,          -- turns in all
	difficulty REAL    NOT NULL
) STRICT;
CREATE INDEX origin_game ON origin (game);
CREATE INDEX origin_idea ON origin (idea) WHERE idea IS NOT NULL;

CREATE TABLE theme (
	name   TEXT    NOT NULL,
	puzzle INTEGER NOT NULL REFERENCES puzzle,
	PRIMARY KEY (name, puzzle)
) WITHOUT ROWID, STRICT;
CREATE INDEX theme_puzzle ON theme (puzzle);

CREATE VIEW reviews AS
SELECT r.id AS review, r.game, r.latest, o.version, o.win_in, o.nodes AS limit_nodes, o.effort, o.defence_nodes, o.algorithm, o.endgames, r.open, r.nodes, r.ms
FROM review r JOIN reviewing o ON o.id = r.reviewing;

CREATE VIEW findings AS
SELECT f.game, f.kind, f.label AS turn, f.at, f.side,
	(SELECT name FROM player WHERE id = CASE f.side WHEN 'gold' THEN g.gold ELSE g.silver END) AS player,
	f.rating, f.turns, f.exact, f.played, f.better
FROM finding f JOIN game g ON g.id = f.game;

CREATE VIEW proofs AS
SELECT game, at, winner, turns, exact FROM proof;

CREATE VIEW evaluations AS
SELECT r.game, c.key AS at, c.value AS gold_chance
FROM review r, json_each(r.chances) c WHERE r.latest;

CREATE VIEW minings AS
SELECT m.game, o.version, o.win_in, o.nodes AS limit_nodes, m.open FROM mined m JOIN mining o ON o.id = m.mining;

DROP VIEW puzzles;
CREATE VIEW puzzles AS
SELECT p.id, s.name AS source, p.line, p.name, p.position, p.number, p.claim, p.solution, p.tags,
	o.game, o.at, o.idea AS same_idea_as, o.pieces, o.replies, o.tries, o.quiet, o.winning, o.difficulty,
	(SELECT group_concat(t.name, ' ') FROM theme t WHERE t.puzzle = p.id) AS themes
FROM puzzle p JOIN source s ON s.id = p.source LEFT JOIN origin o ON o.puzzle = p.id;
