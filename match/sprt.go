package match

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// SPRT is a sequential probability ratio test (Wald, Sequential Tests of Statistical Hypotheses,
// 1945, section 3). There are two hypotheses: that the first player is Elo0, or that it is Elo1
// points stronger than the second. After each game the test weighs them by how probable each makes
// the results, and stops when one has become so much the likelier. As Arimaa has no draws, a result
// is a Bernoulli trial with the probability that the logistic Elo curve gives.
type SPRT struct {
	Elo0, Elo1 float64 // Elo0 < Elo1
}

// ErrorRate is the probability, for either hypothesis, that the test decides against it when it is
// true.
const ErrorRate = 0.05

// limit is where the test stops: a logarithm of the ratio of at least limit accepts Elo1, one of at
// most -limit Elo0. They are Wald's bounds for equal errors, log((1-beta)/alpha) and
// log(beta/(1-alpha)).
var limit = math.Log((1 - ErrorRate) / ErrorRate)

// Verdict is what a test has decided.
type Verdict uint8

// The verdicts.
const (
	Undecided Verdict = iota
	AcceptH0          // Elo0
	AcceptH1          // Elo1
)

// String returns "inconclusive", "H0 accepted" or "H1 accepted".
func (v Verdict) String() string {
	return [...]string{"inconclusive", "H0 accepted", "H1 accepted"}[v]
}

// ParseSPRT reads the two hypotheses of a test, such as "0,30".
func ParseSPRT(text string) (SPRT, error) {
	first, second, _ := strings.Cut(text, ",")
	elo0, err := strconv.ParseFloat(first, 64)
	elo1, err1 := strconv.ParseFloat(second, 64)
	const most = 2000
	if err != nil || err1 != nil || !(elo0 < elo1) || math.Abs(elo0) > most || math.Abs(elo1) > most {
		return SPRT{}, fmt.Errorf("%q: a test has two differences in Elo, the lesser first, such as 0,30", text)
	}
	return SPRT{elo0, elo1}, nil
}

// LLR returns the logarithm of the likelihood ratio of Elo1 to Elo0.
func (s SPRT) LLR(t Tally) float64 {
	p0, p1 := score(s.Elo0), score(s.Elo1)
	return float64(t[0])*math.Log(p1/p0) + float64(t[1])*math.Log((1-p1)/(1-p0))
}

// Decide returns what the test says after the games of a tally.
func (s SPRT) Decide(t Tally) Verdict {
	switch llr := s.LLR(t); {
	case llr >= limit:
		return AcceptH1
	case llr <= -limit:
		return AcceptH0
	}
	return Undecided
}

// Describe returns how far the test has come, and its verdict.
func (s SPRT) Describe(t Tally) string {
	return fmt.Sprintf("SPRT(%g, %g): LLR %+.2f in [%.2f, %.2f], %v", s.Elo0, s.Elo1, s.LLR(t), -limit, limit, s.Decide(t))
}
