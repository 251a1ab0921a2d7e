package jobs

import (
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"goalproof/internal/testkit/require"
	"goalproof/joblevel"
)

// TestObjects has an answer of many empty objects, which would take far more memory than its text, be
// refused, and the smallest honest answers be read.
func TestObjects(t *testing.T) {
	w, err := zstd.NewWriter(nil)
	require.NoError(t, err)
	defer w.Close()
	many := w.EncodeAll([]byte(`{"Facts":{"Facts":[{}`+strings.Repeat(",{}", 1<<20)+"]}}"), nil)
	if err := unpack(many, new(decided)); err == nil || !strings.Contains(err.Error(), "too many objects") {
		t.Errorf("the error is %v", err)
	}
	for _, honest := range []decided{{}, {Answer: joblevel.Answer{Open: slices.Repeat([]joblevel.Open{{Turn: 1}}, 17_000)}}} {
		data, err := pack(&honest)
		require.NoError(t, err)
		require.NoError(t, unpack(data, new(decided)))
	}
}
