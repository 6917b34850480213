// Command wire writes the types of the page code from the declarations of package wasm/wire, and
// the table of methods of fitting from package core/learn/methods, into site/src/client/wire.
//
//	go run ./scripts/wire          writes the files
//	go run ./scripts/wire -check   says which of them are not as they would be written, and fails
//
// It is run from the top of the repository.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"cloister/wasm/wire"
	"cloister/wasm/wire/shape"
)

const folder = "site/src/client/wire"

func main() {
	check := flag.Bool("check", false, "write nothing, and fail if a file differs")
	flag.Parse()
	if err := run(".", *check); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(top string, check bool) error {
	files, err := written(top)
	if err != nil {
		return err
	}
	there, err := os.ReadDir(filepath.Join(top, folder))
	if err != nil {
		return err
	}
	for _, entry := range there {
		if _, ok := files[entry.Name()]; !ok {
			return fmt.Errorf(
				"%s is not written by this program: remove it", filepath.Join(folder, entry.Name()),
			)
		}
	}
	for name, text := range files {
		path := filepath.Join(top, folder, name)
		if check {
			if there, err := os.ReadFile(path); err != nil || string(there) != text {
				return fmt.Errorf("%s is not what package wasm/wire declares: make wire", path)
			}
		} else if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// written are the files, by name.
func written(top string) (map[string]string, error) {
	set, err := shape.Read(top, wire.Values)
	if err != nil {
		return nil, err
	}
	describeMethods(set)
	facts, err := methodFacts()
	if err != nil {
		return nil, err
	}
	files := types(set)
	files["calls.ts"], files["methods.ts"], files["method-words.ts"] = calls(
		set,
	), facts, methodWords()
	return files, nil
}
