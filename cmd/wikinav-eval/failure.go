package main

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
)

// explain prints an error as one line, or as one object, and gives the exit code.
func explain(command string, err error, asJSON bool, stderr io.Writer) int {
	code := fault.Code(err)
	if code == fault.Code(fault.Interrupted) {
		err = fault.New(fault.Interrupted, "interrupted").Hint("run the same command again to go on")
	}
	if asJSON {
		fmt.Fprintf(stderr, "%s\n", canon.MustMarshal(describe(command, err, code)))
		return code
	}
	fmt.Fprintf(stderr, "wikinav-eval: %s: %s\n", command, oneLine(err.Error()))
	return code
}

// failure is an error for programs.
type failure struct {
	Code  int    `json:"code"`
	Stage string `json:"stage"` // the verb
	File  string `json:"file"`
	Where string `json:"where"`
	What  string `json:"what"`
}

func describe(command string, err error, code int) failure {
	f := failure{Code: code, Stage: command, What: oneLine(err.Error())}
	var e *fault.Error
	if errors.As(err, &e) {
		f.File, f.Where, f.What = e.File, e.Where, oneLine(e.What)
		if e.Remedy != "" {
			f.What += " (" + e.Remedy + ")"
		}
	}
	return f
}

func oneLine(text string) string { return strings.ReplaceAll(text, "\n", "; ") }
