package api_test

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"cloister/core/data"
	"cloister/core/learn"
	"cloister/core/learn/scorecard"
	"cloister/core/random/randomtest"
	"cloister/core/random/randomtest/mutated"
	"cloister/core/report"
)

// A document as it was changed, and what is read of it here, with every default written out; no
// read where it is refused.
type readHere struct {
	Kind   string          `json:"kind"`
	Name   string          `json:"name"`
	Change string          `json:"change"`
	Of     string          `json:"of,omitempty"` // the release that a report is of
	Text   string          `json:"text"`
	Read   json.RawMessage `json:"read,omitempty"`
}

// treeOf is a document with a Tree.
func treeOf(document interface {
	Tree() (map[string]any, error)
}, err error,
) (any, error) {
	if err != nil {
		return nil, err
	}
	return document.Tree()
}

// releaseOf is the name of the release that a report in filesFolder is of.
func releaseOf(name string) string { return strings.Split(name, ".of-")[1] }

// nativeReaders read a document from its text.
var nativeReaders = map[string]func(t *testing.T, name string, text []byte) (any, error){
	"releases": func(_ *testing.T, _ string, text []byte) (any, error) {
		return treeOf(learn.ParseRelease(text))
	},
	"schemas": func(_ *testing.T, _ string, text []byte) (any, error) {
		return data.ParseSchema(text)
	},
	"cards": func(_ *testing.T, _ string, text []byte) (any, error) {
		return treeOf(scorecard.ParseRelease(text))
	},
	"cells": func(_ *testing.T, _ string, text []byte) (any, error) {
		return treeOf(scorecard.ParseCells(text))
	},
	"reports": func(t *testing.T, name string, text []byte) (any, error) {
		of, err := os.ReadFile(filepath.Join(filesFolder, "releases", releaseOf(name)))
		require.NoError(t, err)
		release, err := learn.ParseRelease(of)
		require.NoError(t, err)
		r, err := report.Parse(text, release)
		if err != nil {
			return nil, err
		}
		out, err := r.Marshal(release)
		return json.RawMessage(out), err
	},
}

// Changed documents, with what is read of them natively, for site/test/client/two-readers.test.ts:
// it asks for them by the path in CLOISTER_TWO_READERS, and compares them with what the pages and
// the core in WebAssembly read.
func TestChangedDocumentsAreReadForTheClient(t *testing.T) {
	path := os.Getenv("CLOISTER_TWO_READERS")
	if path == "" {
		t.Skip("nobody asks: site/test/client/two-readers.test.ts does, by CLOISTER_TWO_READERS")
	}
	each := 12
	if os.Getenv("CLOISTER_AUDIT") == "long" {
		each = 600
	}
	file, err := os.Create(path)
	require.NoError(t, err)
	defer func() { require.NoError(t, file.Close()) }()
	out := bufio.NewWriter(file)
	defer func() { require.NoError(t, out.Flush()) }()
	write := json.NewEncoder(out)
	m := mutated.Mutator{Source: randomtest.New(13)}
	for _, kind := range []string{"releases", "schemas", "cards", "cells", "reports"} {
		paths, err := filepath.Glob(filepath.Join(filesFolder, kind, "*.json"))
		require.NoError(t, err)
		require.NotEmpty(t, paths, kind)
		for _, path := range paths {
			name := filepath.Base(path)
			if strings.HasSuffix(name, ".says.json") {
				continue
			}
			text, err := os.ReadFile(path)
			require.NoError(t, err)
			one := readHere{Kind: kind, Name: name}
			if kind == "reports" {
				one.Of = releaseOf(name)
			}
			root := mutated.Parse(t, text)
			for k := range each {
				copied := root.Clone()
				one.Change, one.Read = "", nil
				if k > 0 { // the first is the file itself
					one.Change = m.Mutate(copied)
				}
				one.Text = copied.String()
				read, err := nativeReaders[kind](t, name, []byte(one.Text))
				require.True(t, k > 0 || err == nil, "%s: %v", name, err)
				if err == nil {
					one.Read, err = json.Marshal(read)
					require.NoError(t, err, name)
				}
				require.NoError(t, write.Encode(one))
			}
		}
	}
}
