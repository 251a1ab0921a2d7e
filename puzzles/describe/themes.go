package describe

import (
	"fmt"
	"slices"
	"strings"

	"goalproof/arimaa"
)

// Themes is a set of themes of a first turn. The package documentation defines each.
type Themes uint16

// The themes, in the order in which they are written.
const (
	Threat         Themes = 1 << iota // threatens to win at once
	Quiet                             // does not threaten to win at once
	InZugzwang                        // puts the defender into zugzwang
	Capture                           // captures an enemy piece
	Sacrifice                         // loses a piece of its own
	Push                              // pushes an enemy piece
	Pull                              // pulls an enemy piece
	Freeing                           // frees a frozen piece of its own
	Goal                              // wins by goal
	Elimination                       // wins by elimination
	Immobilisation                    // wins by immobilisation
)

// All is every theme.
const All = Immobilisation<<1 - 1

var themeNames = [...]string{
	"threat", "quiet", "zugzwang", "capture", "sacrifice", "push", "pull", "freeing", "goal", "elimination", "immobilisation",
}

// Names returns the themes of the set, a word each.
func (t Themes) Names() []string {
	names := []string{}
	for i, name := range themeNames {
		if t&(1<<i) != 0 {
			names = append(names, name)
		}
	}
	return names
}

// String returns the names, separated by commas.
func (t Themes) String() string { return strings.Join(t.Names(), ", ") }

// ParseThemes returns the themes of these names. The error lists the names that there are.
func ParseThemes(names []string) (all Themes, err error) {
	for _, name := range names {
		i := slices.Index(themeNames[:], name)
		if i < 0 {
			return 0, fmt.Errorf("%q is no theme; there are %s", name, strings.Join(themeNames[:], ", "))
		}
		all |= 1 << i
	}
	return all, nil
}

// themesOfSteps returns the themes that the steps of a legal turn at p show: captures, pushes and
// pulls, freeing. After is the position to which it leads.
func themesOfSteps(p, after *arimaa.Position, t arimaa.Turn) (all Themes) {
	own, enemy := p.Side(), p.Side().Other()
	if after.Of(enemy).Len() < p.Of(enemy).Len() {
		all |= Capture
	}
	if after.Of(own).Len() < p.Of(own).Len() {
		all |= Sacrifice
	}
	waiting := p.Frozen(own) // pieces that were frozen at the start, and have not moved
	left := arimaa.Step(0)   // the last step, if it was an own one that completed no push
	pushed := false
	state := arimaa.NewState(*p)
	for i := range t.Len() {
		s := t.Step(i)
		if s.Piece().Side() == own {
			if waiting.Has(s.From()) {
				all |= Freeing // only a free piece steps
			}
			if left = s; pushed {
				left, pushed = 0, false
			}
		} else {
			// An enemy piece that enters the square which a stronger piece has just left is pulled; else the
			// next step completes a push. A step that completes a push pulls nothing.
			if left != 0 && left.From() == s.To() && left.Piece().Kind() > s.Piece().Kind() {
				all |= Pull
			} else {
				all |= Push
				pushed = true
			}
			left = 0
		}
		captured, err := state.Play(s)
		if err != nil {
			return all // the turn is not legal
		}
		waiting &^= s.From().Set() | captured
	}
	if waiting&^after.Frozen(own) != 0 {
		all |= Freeing
	}
	return all
}
