package render

import "goalproof/arimaa"

// shape is the drawing of a kind of piece in a square of 100 by 100 units, with y growing
// downwards. The paths have absolute commands M, L, C and Z only, so that each output can draw
// them.
type shape struct {
	body string // filled in the colour of the side, with a dark edge
	pale string // white in either colour; may be ""
	line string // thin lines; may be ""
	spot string // short thick lines: eyes and noses
}

// The widths of the strokes of a shape, in units of a hundredth of a square.
const (
	edgeWidth = 5
	paleWidth = 3.5
	lineWidth = 4.5
	spotWidth = 9
)

// shapes holds the drawing of each kind. The outlines differ even at 24 pixels a square, where the
// inner lines are lost: heads from the front for elephant, dog, cat and rabbit; a neck for the
// horse; the camel whole.
var shapes = [...]shape{
	arimaa.Elephant: {
		body: "M36 21C25 5 4 12 4 38C4 58 15 71 27 66C31 64 33 61 35 58C37 68 40 74 41 82C42 95 58 99 67 92C71 88 68 81 63 83" +
			"C59 85 57 82 58 78C59 73 63 67 65 58C67 61 69 64 73 66C85 71 96 58 96 38C96 12 75 5 64 21C56 15 44 15 36 21Z",
		pale: "M36 63C33 71 27 74 19 72C22 82 35 83 41 74ZM64 63C67 71 73 74 81 72C78 82 65 83 59 74Z",
		line: "M36 21C28 31 28 46 35 58M64 21C72 31 72 46 65 58",
		spot: "M41 44L41 44.5M59 44L59 44.5",
	},
	arimaa.Camel: {
		body: "M5 29C4 22 12 17 19 15L21 8L26 14C33 18 32 27 31 36C31 43 34 45 37 40C39 29 42 20 48 20C55 20 57 29 60 36" +
			"C62 40 65 40 67 36C69 28 72 20 78 20C86 20 92 36 94 52L95 68L90 66L90 93L80 93L77 70C70 74 60 74 53 71L51 93" +
			"L41 93L39 68C28 64 19 56 18 44L17 33C12 35 6 34 5 29Z",
		spot: "M19 22L19 22.5",
	},
	arimaa.Horse: {
		body: "M24 94C24 76 46 68 48 52C40 58 32 58 26 65C20 71 9 67 9 58C10 48 20 40 24 30C27 23 33 18 40 16L42 4L53 13" +
			"C78 16 92 42 88 94Z",
		line: "M53 13C68 22 76 44 74 80M48 52C52 48 54 44 54 38M17 57L17 58",
		spot: "M37 32L37 32.5",
	},
	arimaa.Dog: {
		body: "M33 17C42 11 58 11 67 17C82 11 96 26 96 47C96 62 87 71 80 64C78 62 77 59 76 56C75 64 72 69 68 73" +
			"C68 87 60 94 50 94C40 94 32 87 32 73C28 69 25 64 24 56C23 59 22 62 20 64C13 71 4 62 4 47C4 26 18 11 33 17Z",
		line: "M33 17C25 28 26 44 24 56M67 17C75 28 74 44 76 56M50 66L50 79M37 78C40 85 48 85 50 79C52 85 60 85 63 78" +
			"M45 61L55 61L50 68Z",
		spot: "M40 44L40 44.5M60 44L60 44.5M45 63L55 63",
	},
	arimaa.Cat: {
		body: "M13 8C22 12 31 19 37 26C45 23 55 23 63 26C69 19 78 12 87 8C91 20 92 33 89 44C95 58 91 73 82 81" +
			"C72 89 60 92 50 92C40 92 28 89 18 81C9 73 5 58 11 44C8 33 9 20 13 8Z",
		line: "M34 66L12 61M34 72L14 76M66 66L88 61M66 72L86 76M46 67L54 67L50 70ZM50 70L50 75" +
			"M40 79C43 83 48 81 50 75C52 81 57 83 60 79",
		spot: "M36 48L36 54M64 48L64 54",
	},
	arimaa.Rabbit: {
		body: "M36 47C23 32 20 8 32 5C43 3 47 24 47 42L53 42C53 24 57 3 68 5C80 8 77 32 64 47C77 54 82 67 78 78" +
			"C73 90 61 95 50 95C39 95 27 90 22 78C18 67 23 54 36 47Z",
		line: "M33 16C32 26 36 36 40 42M67 16C68 26 64 36 60 42M46 73L54 73L50 76ZM50 76L50 83" +
			"M41 87C45 90 49 88 50 83C51 88 55 90 59 87",
		spot: "M39 64L39 64.5M61 64L61 64.5",
	},
}
