package arimaa

import "strings"

// Details is what an archive says about a game besides its turns and its end. What it does not say is "".
type Details struct {
	GoldRating, SilverRating string // at the start of the game
	TimeControl              string // as the game room writes it: move/reserve/percent/..., for example 15s/90s/100/120s/2h
	Event                    string
}

// ArchiveDetails returns the details of the games of an archive, in the order of [ReadArchive], which
// says whether the text is one.
func ArchiveDetails(text string) (all []Details) {
	var column map[string]int
	for row := range strings.Lines(text) {
		row = strings.TrimPrefix(strings.TrimRight(row, "\r\n"), byteOrderMark)
		if strings.TrimSpace(row) == "" || row[0] == '#' {
			continue
		}
		fields := strings.Split(row, "\t")
		if column == nil {
			column = map[string]int{}
			for i, name := range fields {
				column[name] = i
			}
			continue
		}
		get := func(name string) string {
			if i, ok := column[name]; ok && i < len(fields) {
				return fields[i]
			}
			return ""
		}
		all = append(all, Details{get("wrating"), get("brating"), get("timecontrol"), get("event")})
	}
	return all
}
