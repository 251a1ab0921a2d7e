// Package web is the studio: a page in the browser that shows a board, sets positions up and solves them, and the API that
// the page is a client of.
package web
