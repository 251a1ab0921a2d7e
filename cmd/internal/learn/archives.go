package learn

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"iter"
	"os"
	"path/filepath"
	"strings"

	"goalproof/arimaa"
	"goalproof/arimaa/notation"
	"goalproof/cmd/internal/cli"
	"goalproof/cmd/internal/jobs"
	"goalproof/engine/learn"
	"goalproof/internal/printable"
)

// archiveGames are the games of archives. Rounds learn from them in addition to their own, until
// one has more nodes than the one before and begins anew.
type archiveGames struct {
	games []learn.Finished
	study learn.Study
	file  string
}

// decided are the terminations (notation.Record) after which the winner stood better.
const decided = "gmers"

// readArchives reads the games of the archives that were decided on the board or resigned.
// Unreadable games are reported and left out. The error names the file, or says that no game is
// left.
func (f *flags) readArchives(t cli.Terminal, play learn.SelfPlay) (*archiveGames, error) {
	a := &archiveGames{file: filepath.Join(f.out, "archives.bin")}
	var sources []string
	for _, name := range f.archives {
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, fmt.Errorf("--archives: %w", err)
		}
		n := 0
		for p := range notation.Parts(f.reading.Lines(t, name, bytes.NewReader(text))) {
			r := p.Record
			if p.Err == nil && r == nil {
				p.Err = fmt.Errorf("%s:%d: this is no row of an archive", name, p.Line)
			}
			if p.Err != nil {
				return nil, p.Err
			}
			g, err := p.Played()
			if err != nil {
				fmt.Fprintf(t.Err, "goalproof: %s; the game is left out\n", notation.Explain(err))
				continue
			}
			how := notation.ResultOf(g, r.Tags())
			winner := strings.Index("wb", how.Result)
			if g.Len() > 0 && len(how.Result) == 1 && winner >= 0 && len(how.Termination) == 1 && strings.Contains(decided, how.Termination) {
				a.games = append(a.games, learn.Finished{Game: g, Winner: arimaa.Side(winner)})
				n++
			}
		}
		sources = append(sources, fmt.Sprintf("%s of an archive %08x", printable.Amount(n, "game"), crc32.ChecksumIEEE(text)))
	}
	if len(a.games) == 0 {
		return nil, errors.New("--archives: there is no game that was decided on the board or resigned")
	}
	a.study = learn.Study{Player: play, Sources: strings.Join(sources, ", ")}
	return a, nil
}

// search searches the remaining positions of the games.
func (f *flags) search(ctx context.Context, a *archiveGames, t cli.Terminal) error {
	return record(ctx, t, "games of archives", a.file, a.study.String(), len(a.games), func(done int) iter.Seq2[*learn.Game, error] {
		if f.jobs.Given() && done < len(a.games) {
			q := jobs.Archives{Games: jobs.Games{Play: a.study.Player, Network: f.networks}, All: a.games}
			return q.Study(ctx, f.jobs.Part("archives"), done)
		}
		return a.study.Games(ctx, a.games[min(done, len(a.games)):])
	})
}
