package evaluation

import "goalproof/arimaa"

// Term is the contribution of a feature to a score.
type Term struct {
	Feature      Feature
	Gold, Silver float64 // values, in the unit of the feature
	Weight       float64 // centi-rabbits per unit
	Points       float64 // centi-rabbits for Gold
}

// Explain returns the terms of a score, one for each feature in their order. The sum of their
// points and of [Evaluator.Correction] is the score for Gold, before it is rounded and bounded by
// Limit.
func (e *Evaluator) Explain(b *arimaa.Board, toMove arimaa.Side) []Term {
	e.evaluate(b, toMove)
	terms := make([]Term, Features)
	for f := range Features {
		terms[f] = Term{
			Feature: f,
			Gold:    float64(e.values[arimaa.Gold][f]),
			Silver:  float64(e.values[arimaa.Silver][f]),
			Weight:  float64(e.weights[f]),
			Points:  e.points(f),
		}
	}
	return terms
}

// Correction returns what the network adds to the score for Gold, in centi-rabbits; 0 without one.
func (e *Evaluator) Correction(b *arimaa.Board) int {
	if e.net == nil {
		return 0
	}
	e.position.set(b)
	e.setMaterial(&e.position)
	return e.network(b)
}

// Worth is what a piece contributes to a score.
type Worth struct {
	Square arimaa.Square
	Points int // centi-rabbits for the owner: the score less that without the piece
}

// Worths returns what each piece contributes to the score, from a1 to h8. As the worth of a piece
// depends on the others, they do not add up to the score.
func (e *Evaluator) Worths(b *arimaa.Board, toMove arimaa.Side) (all []Worth) {
	score := e.Score(b, toMove)
	for rest := b.Occupied(); rest != 0; rest = rest.Rest() {
		s := rest.First()
		p, without := b.At(s), *b
		without.Put(s, arimaa.Empty)
		points := score - e.Score(&without, toMove)
		if p.Side() != toMove {
			points = -points
		}
		all = append(all, Worth{s, points})
	}
	return all
}
