package solve

import (
	"goalproof/answer"
	"goalproof/cmd/internal/cli"
	"goalproof/solve"
)

// solution is a first turn in JSON.
type solution struct {
	Turn      string `json:"turn"`
	Essential bool   `json:"essential"`
}

// reportJSON writes one object on one line.
func (f *flags) reportJSON(t cli.Terminal, it answered, a solve.Answer) {
	record := struct {
		File     string   `json:"file"`
		Position *string  `json:"position"`
		History  *string  `json:"history"`
		Side     *string  `json:"side"`
		Goal     string   `json:"goal"`
		Verdict  string   `json:"verdict"`
		Least    *int     `json:"least"`
		Refuted  int      `json:"refuted"`
		Within   *int     `json:"within"`
		Turn     *string  `json:"turn"`
		EndsBy   *string  `json:"ends_by"`
		Line     []string `json:"line"`

		Try        *string  `json:"try"`
		Refutation []string `json:"refutation"`

		Solutions         []solution `json:"solutions"`
		Unique            *bool      `json:"unique"`
		EssentiallyUnique *bool      `json:"essentially_unique"`

		Description *descriptionJSON `json:"description"`

		Repetition  string         `json:"repetition"`
		Stopped     *string        `json:"stopped"`
		Certificate *string        `json:"certificate"`
		Table       *string        `json:"table"`
		Tabled      uint64         `json:"table_positions"`
		Nodes       uint64         `json:"nodes"`
		Seconds     float64        `json:"seconds"`
		Variations  *variationJSON `json:"variations"`
		Error       *string        `json:"error"`
	}{File: it.Name, Goal: f.aim.String(), Line: []string{}, Refuted: a.Refuted, Nodes: a.Nodes, Seconds: a.Time.Seconds(), Repetition: "set aside", Tabled: a.Probes}
	if a.Tabled {
		record.Table = new(a.Value.String())
	}
	if it.Game != nil && !a.Aside {
		record.Repetition = "counted"
	}
	if f.try != "" {
		record.Try = &f.try
	}
	for _, ply := range a.Refutation {
		record.Refutation = append(record.Refutation, written(ply))
	}
	if it.variations != nil {
		record.Variations = variationOf(it.variations)
	}
	if it.description != nil {
		record.Description = it.description.json()
	}
	if it.certificate != "" {
		record.Certificate = &it.certificate
	}
	if it.Err != nil {
		record.Verdict, record.Error = "error", new(it.Err.Error())
	} else {
		record.History = it.History()
		record.Position, record.Side = new(it.Diagram.Position.String()), new(it.Diagram.Position.Side().String())
		if record.Verdict = cli.VerdictName(a.Verdict); !f.aim.Win() {
			record.Verdict = [...]string{answer.Proved: "reached", answer.Disproved: "not-reached", answer.Unknown: "unknown"}[a.Verdict]
		}
		switch a.Verdict {
		case answer.Proved:
			record.Within = &a.Within
		}
		if a.Exact() {
			record.Least = &a.Within
		} else if a.Verdict != answer.Disproved {
			record.Stopped = new(a.Stop.String())
		}
		if f.all && a.Verdict == answer.Proved {
			record.Solutions = []solution{}
			for _, s := range a.Solutions {
				record.Solutions = append(record.Solutions, solution{a.Line[0].Before.Notation(s.Turn), s.Essential})
			}
			if a.Listing == answer.Finished && len(a.Solutions) > 0 {
				one, essential := len(a.Solutions) == 1, a.Essential() == 1
				record.Unique, record.EssentiallyUnique = &one, &essential
			}
		}
		for i, ply := range a.Line {
			record.Line = append(record.Line, written(ply))
			if i == 0 {
				record.Turn = new(written(ply))
			}
			if ply.Outcome.Over() {
				record.EndsBy = new(ply.Outcome.Reason.String())
			} else if ply.Reached {
				if record.EndsBy = new("rabbit"); f.aim.IsCapture() {
					record.EndsBy = new("capture")
				}
			}
		}
	}
	_ = cli.WriteJSON(t.Out, record) // the output remembers that it could not be written
}
