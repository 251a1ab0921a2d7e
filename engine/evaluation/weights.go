package evaluation

// Weights holds the weight of each feature, in centi-rabbits per unit of its values. A weight
// of zero switches the feature off.
type Weights [Features]float32

// Default is the table of weights that the engine plays with. They were chosen by hand, their
// sizes with an eye to a logistic regression on the results of the published games, and then by
// what games between the engine and itself showed (docs/engine.md).
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
	GoalThreat:    0, // with 1.5 it lost 74 of 118: the search sees threats by itself
	Hostage:       0, // with 0.2 the engine lost 244 of 438 games against one without it
	Frame:         0.7,
	Mobility:      1.5,
	Blockade:      2,
	Alignment:     0.5,
	Imbalance:     -4,
	Swindle:       0, // with 1 it lost 80 of 131
}
