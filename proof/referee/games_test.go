package referee

import (
	"fmt"
	"strings"
	"testing"
)

// replay plays an archived game from the setup to the last turn that was completed. Every turn must
// be legal and report its captures as they are, nobody may have won before the last turn, and the
// end must be as recorded.
func replay(moves, result, termination string) error {
	var line []State // the start of the game and the states after each turn, to take back
	board := EmptyBoard()
	var h *History
	for _, turn := range strings.Split(moves, `\n`) {
		words := strings.Fields(turn)
		if len(words) < 2 {
			continue // a bare last label
		}
		label, text := words[0], strings.Join(words[1:], " ")
		switch {
		case text == "takeback" && len(line) == 0: // of gold's setup
			board = EmptyBoard()
			continue
		case text == "takeback":
			if len(line) < 2 {
				return fmt.Errorf("%s: nothing to take back", label)
			}
			last := line[len(line)-1]
			h.remove(last.Board, last.Side)
			line = line[:len(line)-1]
			continue
		case text == "resigns" || text == "resign" || text == "lost":
			continue
		case label == "1w" || label == "1b":
			for _, word := range words[1:] {
				square, err := ParseSquare(word[1:])
				if err != nil {
					return err
				}
				board[square] = word[0]
			}
			if label == "1b" {
				line = append(line, NewState(board, Gold))
				h = NewHistory(line[0])
			}
			continue
		}
		at := line[len(line)-1]
		if len(line) > 1 {
			if _, reason, over := h.Outcome(at.Board, at.Side.Other()); over {
				return fmt.Errorf("%s: the game is over by %v", label, reason)
			}
		}
		steps, end, err := at.ReadTurn(text)
		if err != nil {
			return fmt.Errorf("%s: %w", label, err)
		}
		if written, err := at.WriteTurn(steps); err != nil || written != text {
			return fmt.Errorf("%s: %q is written %q (%v)", label, text, written, err)
		}
		next, err := h.Stop(end)
		if err != nil {
			return fmt.Errorf("%s: %w", label, err)
		}
		line = append(line, next)
	}
	if len(line) < 2 {
		return nil
	}
	recorded := map[string][]Reason{
		"g": {Goal, OpponentGoal},
		"e": {Elimination, SelfElimination},
		"m": {Immobilisation, Repetition},
	}
	last := line[len(line)-1]
	winner, reason, over := h.Outcome(last.Board, last.Side.Other())
	for _, want := range recorded[termination] {
		if over && reason == want && (result == "w") == (winner == Gold) {
			return nil
		}
	}
	if over || recorded[termination] != nil {
		return fmt.Errorf("ends with %v by %v (over: %t), recorded: %s by %s", winner, reason, over, result, termination)
	}
	return nil
}

func TestArchivedGames(t *testing.T) {
	for name, frozen := range map[string]int{
		"archive-2026.tsv": 0,
		"archive-2002.tsv": 2, // two of these were played when a frozen piece could step
	} {
		t.Run(name, func(t *testing.T) {
			rows := readRows(t, "games/"+name)
			column := map[string]int{}
			for i, title := range rows[0] {
				column[title] = i
			}
			for _, row := range rows[1:] {
				err := replay(row[column["movelist"]], row[column["result"]], row[column["termination"]])
				if err != nil && strings.Contains(err.Error(), "frozen") && frozen > 0 {
					frozen--
				} else if err != nil {
					t.Errorf("game %s: %v", row[0], err)
				}
			}
			if frozen != 0 {
				t.Errorf("%d games with a step of a frozen piece are missing", frozen)
			}
		})
	}
}
