package main

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/wikinav/wikinav/pipeline"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
)

// report prints an error as one line, or as one object, and gives the exit code.
func report(cmd *cobra.Command, err error, stderr io.Writer) int {
	code := fault.Code(err)
	if isUsage(err) {
		code = fault.Code(fault.Usage)
	}
	if code == fault.Code(fault.Interrupted) {
		err = fault.New(fault.Interrupted, "interrupted").Hint("run the same command again to go on")
	}
	if asJSON, _ := cmd.Flags().GetBool("json-errors"); asJSON {
		fmt.Fprintf(stderr, "%s\n", canon.MustMarshal(errorObject(cmd, err, code)))
		return code
	}
	text := strings.ReplaceAll(err.Error(), "\n", "; ")
	fmt.Fprintf(stderr, "wikinav: %s%s\n", place(cmd, err), text)
	return code
}

// place names the command, unless the error names its stage itself.
func place(cmd *cobra.Command, err error) string {
	var stage *pipeline.StageError
	if errors.As(err, &stage) || !cmd.HasParent() {
		return ""
	}
	return cmd.Name() + ": "
}

type errorRecord struct {
	Code  int    `json:"code"`
	Stage string `json:"stage"`
	File  string `json:"file"`
	Where string `json:"where"`
	What  string `json:"what"`
}

func errorObject(cmd *cobra.Command, err error, code int) errorRecord {
	r := errorRecord{Code: code, Stage: cmd.Name(), What: err.Error()}
	var stage *pipeline.StageError
	if errors.As(err, &stage) {
		r.Stage = stage.Stage
	}
	var e *fault.Error
	if errors.As(err, &e) {
		r.File, r.Where, r.What = e.File, e.Where, e.What
	}
	return r
}

// isUsage knows cobra's own errors, which have no type.
func isUsage(err error) bool {
	text := err.Error()
	for _, prefix := range []string{"unknown command", "unknown flag", "accepts ", "requires ", "required flag"} {
		if strings.HasPrefix(text, prefix) {
			return true
		}
	}
	return false
}
