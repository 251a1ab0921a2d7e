package evaluation

import (
	"testing"

	"goalproof/arimaa"
)

// TestHolder checks that a hostage counts half more where a lesser piece than the elephant
// holds it.
func TestHolder(t *testing.T) {
	value := func(rows [8]string) int {
		b := drawn(rows)
		var e Evaluator
		e.evaluate(&b, arimaa.Silver)
		// Supposing that the trap is as well controlled.
		e.position.armies[arimaa.Gold].control = [4]int{900, 500, 500, 500}
		return e.position.armies[arimaa.Gold].hostages(&e.position.armies[arimaa.Silver])
	}
	elephant := value([8]string{
		"r.......",
		"........",
		"........",
		"........",
		"..e.....",
		"hE.D....",
		"........",
		"R.....M.",
	})
	camel := value([8]string{
		"r.......",
		"........",
		"........",
		"........",
		"..e.....",
		"hM.D....",
		"........",
		"R.....E.",
	})
	if elephant <= 0 || camel != elephant*3/2 {
		t.Errorf("held by the elephant %d, by the camel %d", elephant, camel)
	}
	free := value([8]string{
		"r.......",
		"h.......",
		"........",
		"........",
		"..e.....",
		".M.D....",
		"........",
		"R.....E.",
	})
	if free != 0 {
		t.Errorf("a free horse counts %d", free)
	}
}
