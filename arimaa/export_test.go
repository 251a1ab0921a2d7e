package arimaa

// Parent returns the board before the last option of the turn to result i.
func (g *Generator) Parent(i int) *Board { return &g.nodes[g.nodes[i+1].parent].board }
