package evaluation

// Weights holds the weight of each feature, in centi-rabbits per unit of its values. Weight 0
// switches a feature off.
type Weights [Features]float32

// Default is the table of weights without a network. They were chosen by hand, guided by a logistic
// regression on the results of published games, and adjusted by matches of the engine against
// itself (docs/engine.md).
var Default = Weights{
	Material:      1,
	PieceSquare:   1.3,
	RabbitAdvance: 1.5,
	TrapControl:   0.2, // 200 for each trap won from even
	Freeing:       -0.1,
	Domination:    -0.1,
	CaptureNow:    0.8,
	CaptureNext:   0.3,
	GoalDistance:  2.5,
	Frame:         0.7,
	Mobility:      1.5,
	Blockade:      2,
	Alignment:     0.5,
	Imbalance:     -4,
}
