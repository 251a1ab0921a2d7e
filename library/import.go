package library

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"iter"
	"runtime"
	"slices"
	"strings"
	"unicode/utf8"

	"goalproof/arimaa/notation"
	"goalproof/internal/batch"
	"goalproof/zobrist"
)

// Import is an import under way. What it has read becomes part of the library in chunks: a chunk,
// with all games in it, is there wholly or not at all.
type Import struct {
	// Added, Known and Broken count games, AddedPuzzles and KnownPuzzles positions. Known ones were in
	// the library before; broken ones could not be read, of either kind. Twins counts those of the
	// games added that have the turns of another game. Garbled counts games added of whose names
	// letters are lost, because the text was no UTF-8.
	Added, Known, Broken, Twins, Garbled int
	AddedPuzzles, KnownPuzzles           int

	l          *Library
	chunk      int   // positions
	open       bool  // a transaction is
	failed     error // of the file: the transaction is not whole
	positions  []position
	pending    counts // of the open transaction
	ids        map[string]map[string]int64
	materials  map[material]bool
	statements map[string]*sql.Stmt
}

// counts are those of an Import that a transaction adds.
type counts struct{ added, twins, puzzles, garbled int }

// position is a row of the table, with its whole key.
type position struct {
	half int64
	key  zobrist.Key
	game int64
	at   int32
}

// usualChunk is how many positions are sorted and written at once. Their pages lie all over the
// index, so that larger chunks write each page less often.
const usualChunk = 1 << 19

// Read is an entry of a text that an import has read.
type Read struct {
	*notation.Part
	Err error // why it cannot be read
}

// Import begins an import, which must be closed. The error says that the library was opened for
// reading alone ([Open]), or wraps [ErrInUse] if another import of it is under way.
func (l *Library) Import() (*Import, error) {
	if err := l.begin(busy); err != nil {
		return nil, err
	}
	return &Import{l: l, chunk: usualChunk, ids: map[string]map[string]int64{}, materials: map[material]bool{}, statements: map[string]*sql.Stmt{}}, nil
}

// prepared is what a worker makes of an entry.
type prepared struct {
	game   *entry
	puzzle *Puzzle
	part   *notation.Part
}

// Text imports what a text holds, and calls each for every entry of it, in their order, also those
// that cannot be read, which stop nothing. What was read is in the library for good when Close has
// returned no error; after an error only what the counts say is there. The error is that of the
// context, after which Close keeps what was read, or of the file.
func (im *Import) Text(ctx context.Context, source string, parts iter.Seq[notation.Part], each func(Read)) error {
	if im.failed != nil {
		return im.l.explain(im.failed)
	}
	workers := runtime.GOMAXPROCS(0)
	start := func() (struct{}, error) { return struct{}{}, nil }
	pointers := func(yield func(*notation.Part) bool) {
		for p := range parts {
			if !yield(&p) {
				return
			}
		}
	}
	had := map[[16]byte]int{} // how many games of an identity the text has had
	for done := range batch.Run(ctx, pointers, workers, 64*workers, start, prepare) {
		switch {
		case done.Job == nil: // reading the text itself failed
			return done.Err
		case done.Err == nil:
			if im.failed = im.add(source, &done.Value, had); im.failed != nil {
				return im.l.explain(im.failed)
			}
		case ctx.Err() == nil:
			im.Broken++
		}
		each(Read{done.Job, done.Err})
	}
	return ctx.Err()
}

// prepare reads the game or the puzzle of an entry.
func prepare(_ context.Context, _ struct{}, p *notation.Part) (prepared, error) {
	out := prepared{part: p}
	if p.Err != nil {
		return out, p.Err
	}
	name := p.Name
	if p.Position != nil {
		var err error
		if err = p.Position.Position.CheckStart(); err == nil {
			out.puzzle, err = puzzleOf(name, &p.Entry)
		}
		return out, err
	}
	g := p.Game
	if p.Record != nil {
		var err error
		if g, err = p.Record.Game(); err != nil {
			return out, err
		}
		p.Notes = p.Record.Notes
	}
	var err error
	out.game, err = entryOf(name, &p.Entry, g)
	return out, err
}

// add puts an entry into the open transaction. An interruption must not come between the rows of a
// game, so that nothing that writes has the context.
func (im *Import) add(source string, p *prepared, had map[[16]byte]int) error {
	if !im.open {
		if _, err := im.l.write.ExecContext(context.Background(), "BEGIN IMMEDIATE"); err != nil {
			return err
		}
		im.open = true
	}
	numbered := func(identity func(int) []byte) []byte {
		first := identity(0)
		key := [16]byte(first)
		n := had[key]
		had[key]++
		if n == 0 {
			return first
		}
		return identity(n)
	}
	var err error
	if p.game != nil {
		err = im.addGame(source, p.part.Line, p.game, numbered(p.game.identity))
	} else {
		err = im.addPuzzle(source, p.part.Line, p.puzzle, numbered(p.puzzle.identity))
	}
	if err != nil || len(im.positions) < im.chunk {
		return err
	}
	return im.commit()
}

// statement prepares a statement, once.
func (im *Import) statement(text string) (*sql.Stmt, error) {
	if s := im.statements[text]; s != nil {
		return s, nil
	}
	s, err := im.l.write.PrepareContext(context.Background(), text)
	if err == nil {
		im.statements[text] = s
	}
	return s, err
}

// exec runs a statement.
func (im *Import) exec(text string, values ...any) (sql.Result, error) {
	s, err := im.statement(text)
	if err != nil {
		return nil, err
	}
	return s.ExecContext(context.Background(), values...)
}

// query asks for a row, and reports whether there is one.
func (im *Import) query(_ context.Context, text string, values []any, to ...any) (bool, error) {
	s, err := im.statement(text)
	if err != nil {
		return false, err
	}
	return found(s.QueryRowContext(context.Background(), values...).Scan(to...))
}

// inserted adds a row, and returns its id.
func (im *Import) inserted(text string, values ...any) (id int64, err error) {
	result, err := im.exec(text, values...)
	if err != nil {
		return 0, err
	}
	return result.LastInsertId()
}

// mostIDs bounds the ids of names that are remembered.
const mostIDs = 100_000

// id returns the id of a name in one of the tables of names, nil for "".
func (im *Import) id(table, column, name string) (any, error) {
	if name == "" {
		return nil, nil
	}
	known := im.ids[table]
	if known == nil || len(known) > mostIDs {
		known = map[string]int64{}
		im.ids[table] = known
	}
	if id, ok := known[name]; ok {
		return id, nil
	}
	columns, values := column, []any{name}
	if table == "player" {
		columns, values = column+", folded", append(values, folded(name))
	}
	if _, err := im.exec("INSERT OR IGNORE INTO "+table+" ("+columns+") VALUES (?"+strings.Repeat(", ?", len(values)-1)+")", values...); err != nil {
		return nil, err
	}
	var id int64
	_, err := im.query(context.Background(), "SELECT id FROM "+table+" WHERE "+column+" = ?", []any{name}, &id)
	known[name] = id
	return id, err
}

// null makes an absent value of a zero one.
func null[T comparable](v T) any {
	if v == *new(T) {
		return nil
	}
	return v
}

// addGame adds a game, unless it is known.
func (im *Import) addGame(source string, line int, e *entry, identity []byte) (err error) {
	known, err := im.query(context.Background(), "SELECT id FROM game WHERE identity = ?", []any{identity}, new(int64))
	if err != nil {
		return err
	}
	if known {
		im.Known++
		return nil
	}
	id := func(table, column, name string) (v any) {
		if err == nil {
			v, err = im.id(table, column, name)
		}
		return v
	}
	from := id("source", "name", source)
	gold, silver := id("player", "name", e.Gold), id("player", "name", e.Silver)
	goldSetup, silverSetup := id("setup", "squares", e.GoldSetup), id("setup", "squares", e.SilverSetup)
	if err != nil {
		return err
	}
	game, err := im.inserted(`INSERT INTO game (identity, source, line, name, gold, silver, gold_rating, silver_rating,
		date, event, time_control, result, ending, turns, gold_setup, silver_setup, digest)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		identity, from, line, e.Name, gold, silver, null(e.GoldRating), null(e.SilverRating),
		null(e.Date), null(e.Event), null(e.TimeControl), null(e.Result), null(e.Ending), e.Turns, goldSetup, silverSetup, e.digest)
	if err != nil {
		return err
	}
	im.pending.added++
	if strings.ContainsRune(e.Gold+e.Silver+e.Event, utf8.RuneError) {
		im.pending.garbled++
	}
	if _, err = im.exec("INSERT INTO record VALUES (?, ?, ?, ?, ?, ?, ?)",
		game, e.start, e.number, append([]byte{}, e.turns...), e.ended, null(e.tags), null(e.annotated)); err != nil {
		return err
	}
	if err := im.mark(game, e); err != nil {
		return err
	}
	for i, key := range e.keys {
		im.positions = append(im.positions, position{half(key), key, game, int32(i)})
	}
	for _, s := range e.stretches {
		if err := im.addStretch(game, s); err != nil {
			return err
		}
	}
	return nil
}

// mark looks for another game with equal turns, the first of which marks the others.
func (im *Import) mark(game int64, e *entry) error {
	result, err := im.exec(`UPDATE game SET twin = (SELECT min(o.id) FROM game o JOIN record r ON r.game = o.id
		WHERE o.digest = ? AND o.id < ? AND r.start = ? AND r.turns = ?)
		WHERE id = ? AND EXISTS (SELECT 1 FROM game o WHERE o.digest = ? AND o.id < ?)`,
		e.digest, game, e.start, append([]byte{}, e.turns...), game, e.digest, game)
	if err != nil {
		return err
	}
	n, err := result.RowsAffected()
	im.pending.twins += int(n)
	return err
}

// addStretch adds a stretch of a game with the same material.
func (im *Import) addStretch(game int64, s stretch) error {
	if !im.materials[s.material] {
		gold, silver := s.material.pieces(0), s.material.pieces(1)
		if _, err := im.exec("INSERT OR IGNORE INTO material VALUES (?, ?, ?, ?, ?)",
			int64(s.material), gold, silver, len(gold)+len(silver), null(s.material.class())); err != nil {
			return err
		}
		if len(im.materials) < mostIDs {
			im.materials[s.material] = true
		}
	}
	_, err := im.exec("INSERT INTO stretch VALUES (?, ?, ?, ?)", int64(s.material), game, s.first, s.last)
	return err
}

// addPuzzle adds a puzzle, unless it is known.
func (im *Import) addPuzzle(source string, line int, p *Puzzle, identity []byte) error {
	known, err := im.query(context.Background(), "SELECT id FROM puzzle WHERE identity = ?", []any{identity}, new(int64))
	if err != nil {
		return err
	}
	if known {
		im.KnownPuzzles++
		return nil
	}
	from, err := im.id("source", "name", source)
	if err != nil {
		return err
	}
	_, err = im.inserted(`INSERT INTO puzzle (identity, source, line, name, position, number, key, claim, solution, tags)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		identity, from, line, p.Name, p.Position.String(), p.Number, half(p.Position.Key()), null(p.Claim), null(p.Solution), null(p.tagText()))
	im.pending.puzzles++
	return err
}

// rowsAtOnce is the number of positions that a statement inserts.
const rowsAtOnce = 200

// commit writes the positions in the order of the index and ends the transaction.
func (im *Import) commit() error {
	if !im.open {
		return nil
	}
	slices.SortFunc(im.positions, func(a, b position) int {
		return cmp.Or(cmp.Compare(a.half, b.half), cmp.Compare(a.game, b.game), cmp.Compare(a.at, b.at))
	})
	for rows := range slices.Chunk(im.positions, rowsAtOnce) {
		if err := im.index(rows); err != nil {
			return err
		}
	}
	if _, err := im.l.write.ExecContext(context.Background(), "COMMIT"); err != nil {
		return err
	}
	im.open = false
	im.positions = im.positions[:0]
	im.Added += im.pending.added
	im.Twins += im.pending.twins
	im.AddedPuzzles += im.pending.puzzles
	im.Garbled += im.pending.garbled
	im.pending = counts{}
	return nil
}

// index writes sorted rows of the index, and notes the halves of keys that stand for several
// positions: among these rows, or with the first one that the index has, which stands for the
// others there.
func (im *Import) index(rows []position) error {
	known, err := im.known(rows)
	if err != nil {
		return err
	}
	values := make([]any, 0, 3*len(rows))
	for _, p := range rows {
		values = append(values, p.half, p.game, int64(p.at))
		if first, ok := known[p.half]; !ok {
			known[p.half] = p.key
		} else if first != p.key {
			if _, err := im.exec("INSERT OR IGNORE INTO collision VALUES (?)", p.half); err != nil {
				return err
			}
		}
	}
	_, err = im.exec("INSERT INTO position VALUES (?, ?, ?)"+strings.Repeat(", (?, ?, ?)", len(rows)-1), values...)
	return err
}

// known returns the keys of the first positions that the index has under the halves of some rows.
func (im *Import) known(rows []position) (map[int64]zobrist.Key, error) {
	values := make([]any, len(rows))
	for i, p := range rows {
		values[i] = p.half
	}
	s, err := im.statement("SELECT DISTINCT key FROM position WHERE key IN (?" + strings.Repeat(", ?", len(rows)-1) + ")")
	if err != nil {
		return nil, err
	}
	var halves []int64
	found, err := s.QueryContext(context.Background(), values...)
	if err != nil {
		return nil, err
	}
	defer found.Close()
	for found.Next() {
		var h int64
		if err := found.Scan(&h); err != nil {
			return nil, err
		}
		halves = append(halves, h)
	}
	if err := found.Err(); err != nil {
		return nil, err
	}
	found.Close()
	known := map[int64]zobrist.Key{}
	for _, h := range halves {
		p, err := im.l.representative(context.Background(), im.query, h)
		if err != nil {
			return nil, err
		}
		if p == nil {
			return nil, im.l.damaged(errors.New("the index names a game that is not there"))
		}
		known[h] = p.Key()
	}
	return known, nil
}

// Close ends the import: what has been read and not yet written is written now, unless an error of
// the file came before. The error is that of the file.
func (im *Import) Close() error {
	err := im.failed
	if err == nil {
		err = im.commit()
	}
	for _, s := range im.statements {
		s.Close()
	}
	if err != nil && im.open {
		im.l.write.ExecContext(context.Background(), "ROLLBACK") // SQLite may have done so itself
	}
	return im.l.end(err)
}
