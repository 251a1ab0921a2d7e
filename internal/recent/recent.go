// Package recent keeps short lists of what helped a search lately, the latest first: killers (Akl
// and Newborn 1977), and turns and replies that decided sibling positions.
package recent

import "slices"

// Add puts item in front of a list of at most most items and returns the list. The item leaves its
// old place; if it had none and the list is full, the last item goes.
func Add[T comparable](list []T, item T, most int) []T {
	at := slices.Index(list, item)
	if at < 0 {
		if len(list) < most {
			list = append(list, item)
		}
		at = len(list) - 1
	}
	copy(list[1:at+1], list[:at])
	list[0] = item
	return list
}

// Raise moves item i one place to the front.
func Raise[T any](list []T, i int) {
	if i > 0 {
		list[i], list[i-1] = list[i-1], list[i]
	}
}
