package notation

import (
	"regexp"
	"strings"
)

// inMarks matches a line that ends in a quotation mark and has another one at its beginning, behind
// setposition or behind the label.
var inMarks = regexp.MustCompile(`^([ \t]*(?:setposition[ \t]+)?(?:\d*[gswb][ \t]*)?)(["'“‘])(.*)(["'”’])[ \t]*$`)

// closing has the closing quotation mark of each opening one.
var closing = map[string]string{`"`: `"`, `'`: `'`, `“`: `”`, `‘`: `’`}

// unquoted returns a position in one line without the quotation marks around the line or around its
// squares. Squares that only the marks enclose are put in brackets:
//
//	setposition g "64 squares"     setposition g [64 squares]
//	setposition "g 64 squares"     setposition  g[64 squares]
//	setposition g "[64 squares]"   setposition g  [64 squares]
//	"22g rrrddrrr/8/..."            22g rrrddrrr/8/...
//
// Any other text is returned as it is. All bytes keep their places.
func unquoted(text string) string {
	if text == "" || strings.IndexByte("\"'”’ \t", text[len(text)-1]) < 0 {
		return text
	}
	m := inMarks.FindStringSubmatch(text)
	if m == nil || closing[m[2]] != m[4] {
		return text
	}
	before, inside, left, right := m[1], m[3], strings.Repeat(" ", len(m[2])), strings.Repeat(" ", len(m[4]))
	label := labelInside.FindString(inside)
	if squares := inside[len(label):]; !strings.ContainsAny(squares, "[]/") && isBareSquares("["+squares+"]") {
		right = "]" + right[1:]
		if label == "" {
			left = left[1:] + "["
		} else {
			inside = label[:len(label)-1] + "[" + squares
		}
	}
	return before + left + inside + right
}

// labelInside matches the label before squares, and the one blank that is no square.
var labelInside = regexp.MustCompile(`^\d*[gswb] `)
