package recent

import (
	"slices"
	"testing"
)

func TestAddAndRaise(t *testing.T) {
	var list []int
	for _, tt := range []struct {
		add  int
		want []int
	}{
		{1, []int{1}},
		{2, []int{2, 1}},
		{3, []int{3, 2, 1}},
		{3, []int{3, 2, 1}},
		{1, []int{1, 3, 2}}, // it leaves its old place
		{4, []int{4, 1, 3}}, // the last one goes
	} {
		if list = Add(list, tt.add, 3); !slices.Equal(list, tt.want) {
			t.Errorf("after %d: %v, want %v", tt.add, list, tt.want)
		}
	}
	Raise(list, 0)
	Raise(list, 2)
	if want := []int{4, 3, 1}; !slices.Equal(list, want) {
		t.Errorf("the last one raised: %v, want %v", list, want)
	}
}
