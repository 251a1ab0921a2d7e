package match

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// SPRT is a sequential probability ratio test (Wald, Sequential Tests of Statistical Hypotheses,
// 1945, section 3) of two hypotheses: that the first player is Elo0 or Elo1 points stronger than
// the second. After each game it compares the likelihoods of the results so far, and stops when
// their ratio is large or small enough. As Arimaa has no draws, a result is a Bernoulli trial, with
// the probability of the logistic Elo curve.
type SPRT struct {
	Elo0, Elo1 float64 // Elo0 < Elo1
}

// errorRate is the probability that the test rejects a true hypothesis, the same for both.
const errorRate = 0.05

// limit is the bound of the logarithm of the likelihood ratio at which the test stops: limit
// accepts Elo1, -limit accepts Elo0. These are Wald's bounds log((1-beta)/alpha) and
// log(beta/(1-alpha)) for equal errors.
var limit = math.Log((1 - errorRate) / errorRate)

// Decision is what a test has decided.
type Decision uint8

// The decisions.
const (
	Undecided Decision = iota
	AcceptH0           // Elo0
	AcceptH1           // Elo1
)

// String returns "inconclusive", "H0 accepted" or "H1 accepted".
func (d Decision) String() string {
	return [...]string{"inconclusive", "H0 accepted", "H1 accepted"}[d]
}

// ParseSPRT reads the hypotheses of a test, such as "0,30".
func ParseSPRT(text string) (SPRT, error) {
	first, second, _ := strings.Cut(text, ",")
	elo0, err := strconv.ParseFloat(first, 64)
	elo1, err1 := strconv.ParseFloat(second, 64)
	const most = 2000
	if err != nil || err1 != nil || !(elo0 < elo1) || math.Abs(elo0) > most || math.Abs(elo1) > most {
		return SPRT{}, fmt.Errorf("%q: a test takes two differences in Elo, the smaller first, such as 0,30", text)
	}
	return SPRT{elo0, elo1}, nil
}

// LLR returns the logarithm of the likelihood ratio of Elo1 to Elo0.
func (s SPRT) LLR(t Tally) float64 {
	p0, p1 := score(s.Elo0), score(s.Elo1)
	return float64(t[0])*math.Log(p1/p0) + float64(t[1])*math.Log((1-p1)/(1-p0))
}

// Decide returns the decision after the games of a tally.
func (s SPRT) Decide(t Tally) Decision {
	switch llr := s.LLR(t); {
	case llr >= limit:
		return AcceptH1
	case llr <= -limit:
		return AcceptH0
	}
	return Undecided
}

// Describe describes the state of the test and its decision.
func (s SPRT) Describe(t Tally) string {
	return fmt.Sprintf("SPRT(%g, %g): LLR %+.2f in [%.2f, %.2f], %v", s.Elo0, s.Elo1, s.LLR(t), -limit, limit, s.Decide(t))
}
