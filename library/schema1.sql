-- Version 1 of the schema of a library; the files of the later versions change what it makes.
-- docs/library.md describes the views, which are what other programs are to read; the tables may
-- change from version to version.

CREATE TABLE about (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID, STRICT;

CREATE TABLE player (
	id     INTEGER PRIMARY KEY,
	name   TEXT NOT NULL UNIQUE,
	folded TEXT NOT NULL         -- in lower case
) STRICT;
CREATE INDEX player_folded ON player (folded COLLATE NOCASE);

-- A file that was imported, by the name that was given.
CREATE TABLE source (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;

-- How a side set up, seen from its own side: its second rank from file a to h, a slash, its first.
CREATE TABLE setup (id INTEGER PRIMARY KEY, squares TEXT NOT NULL UNIQUE) STRICT;

CREATE TABLE game (
	id            INTEGER PRIMARY KEY,
	identity      BLOB    NOT NULL UNIQUE,            -- a digest of what it is recognised by
	source        INTEGER NOT NULL REFERENCES source,
	line          INTEGER NOT NULL,                   -- of the source, from 1
	name          TEXT    NOT NULL,                   -- that the source gives it; '' if it gives none
	gold          INTEGER REFERENCES player,
	silver        INTEGER REFERENCES player,
	gold_rating   INTEGER,
	silver_rating INTEGER,
	date          TEXT,                               -- 2026-01-31
	event         TEXT,
	time_control  TEXT,
	result        TEXT,                               -- gold, silver, draw, undecided; NULL: not finished
	ending        TEXT,                               -- goal, time, ...
	turns         INTEGER NOT NULL,                   -- of both sides, without the setup
	gold_setup    INTEGER REFERENCES setup,           -- NULL: it began with a position, or fewer pieces
	silver_setup  INTEGER REFERENCES setup,
	digest        INTEGER NOT NULL,                   -- of the first position and the turns
	twin          INTEGER REFERENCES game             -- the first game with the same ones
) STRICT;
CREATE INDEX game_gold ON game (gold);
CREATE INDEX game_silver ON game (silver);
CREATE INDEX game_date ON game (date);
CREATE INDEX game_name ON game (name);
CREATE INDEX game_gold_setup ON game (gold_setup);
CREATE INDEX game_silver_setup ON game (silver_setup);
CREATE INDEX game_digest ON game (digest);
CREATE INDEX game_twin ON game (twin) WHERE twin IS NOT NULL;

-- What is read only of games that are replayed or written.
CREATE TABLE record (
	game      INTEGER PRIMARY KEY REFERENCES game,
	start     BLOB    NOT NULL, -- the first position, packed
	number    INTEGER NOT NULL, -- of the first turn: 2 in a whole game
	turns     BLOB    NOT NULL, -- four bytes each
	ended     TEXT    NOT NULL, -- the word behind the last turn; '' for none
	tags      TEXT,             -- JSON, if they say more than the columns of game
	annotated TEXT              -- the game with its comments and variations, if it has any
) STRICT;

-- Where a position occurred: half of its key.
CREATE TABLE position (
	key  INTEGER NOT NULL,
	game INTEGER NOT NULL REFERENCES game,
	at   INTEGER NOT NULL, -- turns before it
	PRIMARY KEY (key, game, at)
) WITHOUT ROWID, STRICT;

-- Halves of keys that several positions have.
CREATE TABLE collision (key INTEGER PRIMARY KEY) STRICT;

-- The pieces of both sides. The id has five bits for the number of each piece.
CREATE TABLE material (
	id     INTEGER PRIMARY KEY,
	gold   TEXT    NOT NULL, -- E, M, H, D, C, R, each as often as it is there
	silver TEXT    NOT NULL, -- e, m, ...
	pieces INTEGER NOT NULL,
	class  TEXT              -- of endgame tables, such as DCR-dr
) STRICT;
CREATE INDEX material_class ON material (class) WHERE class IS NOT NULL;

-- From when to when in a game there were such pieces.
CREATE TABLE stretch (
	material INTEGER NOT NULL REFERENCES material,
	game     INTEGER NOT NULL REFERENCES game,
	first    INTEGER NOT NULL, -- turns before the first such position
	last     INTEGER NOT NULL, -- and before the last one
	PRIMARY KEY (material, game, first)
) WITHOUT ROWID, STRICT;
CREATE INDEX stretch_game ON stretch (game);

CREATE TABLE puzzle (
	id       INTEGER PRIMARY KEY,
	identity BLOB    NOT NULL UNIQUE,            -- a digest of all that is kept of it
	source   INTEGER NOT NULL REFERENCES source,
	line     INTEGER NOT NULL,
	name     TEXT    NOT NULL,
	position TEXT    NOT NULL,                   -- in short form
	number   INTEGER NOT NULL,                   -- of the turn to come
	key      INTEGER NOT NULL,                   -- as in the table position
	claim    INTEGER,                            -- the side to move is said to win in so many turns
	solution TEXT,                               -- the turn that is said to do so
	tags     TEXT                                -- JSON
) STRICT;
CREATE INDEX puzzle_key ON puzzle (key);

-- Names are looked up by scalar subqueries, which cost nothing in statements that do not ask for them.
CREATE VIEW games AS
SELECT g.id, (SELECT name FROM source WHERE id = g.source) AS source, g.line, g.name,
	(SELECT name FROM player WHERE id = g.gold) AS gold, (SELECT name FROM player WHERE id = g.silver) AS silver,
	g.gold_rating, g.silver_rating, g.date, g.event, g.time_control, g.result, g.ending, g.turns,
	(SELECT squares FROM setup WHERE id = g.gold_setup) AS gold_setup,
	(SELECT squares FROM setup WHERE id = g.silver_setup) AS silver_setup,
	g.twin AS same_turns_as
FROM game g;

-- Each game twice: once for each of its players.
CREATE VIEW players AS
SELECT p.name, 'gold' AS side, g.id AS game, g.gold_rating AS rating,
	(SELECT name FROM player WHERE id = g.silver) AS opponent, g.silver_rating AS opponent_rating,
	CASE g.result WHEN 'gold' THEN 'won' WHEN 'silver' THEN 'lost' ELSE g.result END AS result,
	g.ending, g.date, g.event, (SELECT squares FROM setup WHERE id = g.gold_setup) AS setup
FROM player p JOIN game g ON g.gold = p.id
UNION ALL
SELECT p.name, 'silver', g.id, g.silver_rating,
	(SELECT name FROM player WHERE id = g.gold), g.gold_rating,
	CASE g.result WHEN 'silver' THEN 'won' WHEN 'gold' THEN 'lost' ELSE g.result END,
	g.ending, g.date, g.event, (SELECT squares FROM setup WHERE id = g.silver_setup)
FROM player p JOIN game g ON g.silver = p.id;

CREATE VIEW materials AS
SELECT s.game, s.first, s.last, m.gold, m.silver, m.pieces, m.class
FROM stretch s JOIN material m ON m.id = s.material;

CREATE VIEW moves AS
SELECT game, number AS first_number, start, turns, ended FROM record;

CREATE VIEW puzzles AS
SELECT p.id, s.name AS source, p.line, p.name, p.position, p.number, p.claim, p.solution, p.tags
FROM puzzle p JOIN source s ON s.id = p.source;
