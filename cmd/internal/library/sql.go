package library

import (
	"context"
	"encoding/csv"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"goalproof/cmd/internal/cli"
	"goalproof/internal/memory"
	"goalproof/internal/printable"
	"goalproof/library"
	"goalproof/solve/report"
)

func sqlCommand(t cli.Terminal) *cobra.Command {
	var limits library.Limits
	var budget string
	var asJSON, asCSV bool
	cmd := &cobra.Command{
		Use:   "sql LIBRARY STATEMENT",
		Short: "Ask a library in SQL",
		Long: `Runs a statement in the SQL of SQLite that reads and does nothing else. The
views to ask, such as games, players, findings and puzzles, are described in
docs/library.md; they stay as they are from version to version. If a limit ends
the statement, the exit code is 3.`,
		Example: `  goalproof library import games.db examples/games.tsv
  goalproof library sql games.db 'SELECT ending, count(*) FROM games GROUP BY ending'
  goalproof library sql games.db 'SELECT * FROM games' --csv > games.csv`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 2 {
				return errors.New("name a library and a statement in quotes")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			switch {
			case asJSON && asCSV:
				return errors.New("--json and --csv exclude each other")
			case limits.Rows < 0 || limits.Time < 0:
				return errors.New("--limit and --time are 0 for no limit, or more")
			}
			if budget != "" {
				bytes, err := memory.Budget(budget)
				if err != nil {
					return err
				}
				limits.Memory = int64(bytes)
			}
			return with(cmd.Context(), args[0], func(l *library.Library) error {
				out := rowsOutput(t.Out, asJSON, asCSV)
				return within(cmd.Context(), limits.Time, func() error { return writeRows(out, l.Select(cmd.Context(), args[1], limits)) })
			})
		},
	}
	flags := cmd.Flags()
	flags.IntVar(&limits.Rows, "limit", 10_000, "at most so many rows; 0 is all")
	flags.DurationVar(&limits.Time, "time", time.Minute, "time for the statement; 0 is no limit")
	flags.StringVar(&budget, "memory", "", "memory for the statement (default 128MiB)")
	cli.JSONFlag(flags, &asJSON, "each row")
	flags.BoolVar(&asCSV, "csv", false, "write a comma-separated table")
	return cmd
}

// writeRows writes the rows of a statement, the first of which has the names of the columns.
func writeRows(out rowsWriter, rows iter.Seq2[[]any, error]) error {
	defer out.finish()
	named := false
	for row, err := range rows {
		switch {
		case err != nil:
			return selectExit(err)
		case !named:
			named = true
			out.columns(names(row))
		default:
			if err := out.row(row); err != nil {
				return err
			}
		}
	}
	return nil
}

// grace is how long a statement may go on when its time is up or the program is interrupted.
const grace = 2 * time.Second

// within runs a statement. Some functions of SQLite cannot be interrupted: the program then ends
// without waiting for them.
func within(ctx context.Context, limit time.Duration, do func() error) error {
	ended := make(chan error, 1)
	go func() { ended <- do() }()
	var late <-chan time.Time // nil: never
	if limit > 0 {
		late = time.After(limit + grace)
	}
	select {
	case err := <-ended:
		return err
	case <-late:
		return selectExit(fmt.Errorf("%w after %v", library.ErrTime, limit))
	case <-ctx.Done():
	}
	select {
	case err := <-ended:
		return err
	case <-time.After(grace):
		return ctx.Err()
	}
}

// selectExit gives the error of a statement its exit code: one that a limit has ended is unknown.
func selectExit(err error) error {
	switch {
	case errors.Is(err, library.ErrRows):
		return cli.Exit(cli.Unknown, fmt.Errorf("%w: --limit 0 shows all", err))
	case errors.Is(err, library.ErrTime):
		return cli.Exit(cli.Unknown, fmt.Errorf("%w: --time allows more", err))
	case errors.Is(err, library.ErrMemory):
		return cli.Exit(cli.Unknown, fmt.Errorf("%w: --memory allows more", err))
	}
	return err
}

// names returns the names of columns.
func names(row []any) (all []string) {
	for _, name := range row {
		all = append(all, fmt.Sprint(name))
	}
	return all
}

// rowsWriter writes the rows of a statement.
type rowsWriter interface {
	columns(names []string)
	row(values []any) error
	finish()
}

func rowsOutput(w io.Writer, asJSON, asCSV bool) rowsWriter {
	switch {
	case asJSON:
		return &jsonRows{w: w}
	case asCSV:
		return csvRows{csv.NewWriter(w)}
	}
	return &tableRows{w: w}
}

// text writes a value; null as "".
func text(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case []byte:
		return "x'" + hex.EncodeToString(v) + "'"
	case float64:
		return strconv.FormatFloat(v, 'g', -1, 64)
	}
	return fmt.Sprint(v)
}

// tableRows writes a table for a person. The columns of the first rows decide how wide they are.
type tableRows struct {
	w    io.Writer
	list list
}

func (o *tableRows) columns(names []string) {
	o.list.right = make([]bool, len(names))
	for i := range o.list.right {
		o.list.right[i] = true
	}
	o.list.add(names...)
}

func (o *tableRows) row(values []any) error {
	cells := make([]string, len(values))
	for i, v := range values {
		cells[i] = printable.Text(strings.ReplaceAll(text(v), "\n", " "))
		switch v.(type) {
		case string, []byte:
			o.list.right[i] = false
		}
	}
	o.list.add(cells...)
	o.list.spill(o.w)
	return nil
}

func (o *tableRows) finish() { o.list.write(o.w) }

// csvRows writes rows for a spreadsheet.
type csvRows struct{ w *csv.Writer }

func (o csvRows) columns(names []string) { _ = o.w.Write(names) }

func (o csvRows) row(values []any) error {
	cells := make([]string, len(values))
	for i, v := range values {
		if cells[i] = text(v); isText(v) {
			cells[i] = printable.Cell(cells[i])
		}
	}
	return o.w.Write(cells)
}

func isText(v any) bool {
	_, ok := v.(string)
	return ok
}

func (o csvRows) finish() { o.w.Flush() }

// jsonRows writes an object for each row.
type jsonRows struct {
	w     io.Writer
	names []string
}

func (o *jsonRows) columns(names []string) { o.names = names }

func (o *jsonRows) row(values []any) error {
	for i, v := range values {
		switch v := v.(type) {
		case []byte:
			values[i] = hex.EncodeToString(v)
		case float64:
			if math.IsInf(v, 0) || math.IsNaN(v) { // which JSON does not have
				values[i] = nil
			}
		}
	}
	return report.WriteJSON(o.w, struct {
		Columns []string `json:"columns"`
		Row     []any    `json:"row"`
	}{o.names, values})
}

func (o *jsonRows) finish() {}
