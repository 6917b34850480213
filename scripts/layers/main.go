// Layers checks that imports follow the architecture: they point downwards,
// siblings keep apart, randomness and syscall/js stay where they belong, and
// the accounting-only binary stays small. It prints what is wrong, a line
// each, and exits with 1 if anything is.
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sort"
	"strings"
)

func main() {
	found, err := run()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	for _, line := range found {
		fmt.Println(line)
	}
	if len(found) > 0 {
		os.Exit(1)
	}
}

var js = []string{"GOOS=js", "GOARCH=wasm", "CGO_ENABLED=0"}

func run() ([]string, error) {
	merged := map[string]*pkg{}
	for _, env := range [][]string{nil, js} {
		if err := list(env, merged); err != nil {
			return nil, err
		}
	}
	var packages []pkg
	for _, p := range merged {
		packages = append(packages, *p)
	}
	found := Check(packages)
	if _, ok := merged[module+"/wasm/curves"]; ok {
		deps, err := goList(js, "-deps", "./wasm/curves")
		if err != nil {
			return nil, err
		}
		found = append(found, CheckSmall(strings.Fields(string(deps)))...)
	}
	return found, nil
}

// list adds to merged what every package of the module imports under env.
func list(env []string, merged map[string]*pkg) error {
	out, err := goList(env, "-json=ImportPath,Imports,TestImports,XTestImports", "./...")
	if err != nil {
		return err
	}
	decoder := json.NewDecoder(bytes.NewReader(out))
	for {
		var p struct {
			ImportPath                         string
			Imports, TestImports, XTestImports []string
		}
		if err := decoder.Decode(&p); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return fmt.Errorf("go list: %w", err)
		}
		into := merged[p.ImportPath]
		if into == nil {
			into = &pkg{Path: p.ImportPath}
			merged[p.ImportPath] = into
		}
		into.Uses = union(into.Uses, p.Imports)
		into.Tests = union(into.Tests, append(p.TestImports, p.XTestImports...))
	}
}

func goList(env []string, args ...string) ([]byte, error) {
	cmd := exec.Command("go", append([]string{"list"}, args...)...)
	cmd.Env = append(os.Environ(), env...)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list %s: %w", strings.Join(args, " "), err)
	}
	return out, nil
}

func union(a, b []string) []string {
	seen := map[string]bool{}
	var out []string
	for _, s := range append(a, b...) {
		if !seen[s] {
			seen[s] = true
			out = append(out, s)
		}
	}
	sort.Strings(out)
	return out
}
