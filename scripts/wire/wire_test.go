package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/wasm/wire"
	"cloister/wasm/wire/shape"
)

const top = "../.."

func TestWhatIsCheckedInIsWhatIsWritten(t *testing.T) {
	require.NoError(t, run(top, true))
}

// In a folder of its own, a file that was changed by hand is found, and written anew.
func TestAFileThatDiffersIsNamedAndWrittenAnew(t *testing.T) {
	copied := t.TempDir()
	require.NoError(t, os.Symlink(must(filepath.Abs(top+"/wasm")), copied+"/wasm"))
	require.NoError(t, os.Symlink(must(filepath.Abs(top+"/core")), copied+"/core"))
	require.NoError(t, os.MkdirAll(filepath.Join(copied, folder), 0o755))
	assert.Error(t, run(copied, true), "there is nothing yet")
	require.NoError(t, run(copied, false))
	require.NoError(t, run(copied, true))

	path := filepath.Join(copied, folder, "calls.ts")
	text := string(must(os.ReadFile(path)))
	require.NoError(
		t, os.WriteFile(path, []byte(strings.Replace(text, "sigma", "sygma", 1)+"\n"), 0o644),
	)
	assert.ErrorContains(
		t, run(copied, true), "calls.ts is not what package wasm/wire declares: make wire",
	)
	require.NoError(t, run(copied, false))
	assert.Equal(t, text, string(must(os.ReadFile(path))))
}

func must[T any](x T, err error) T {
	if err != nil {
		panic(err)
	}
	return x
}

func TestFormsOfTypeScript(t *testing.T) {
	set, err := shape.Read(top, wire.Values)
	require.NoError(t, err)
	text := calls(set)
	for _, file := range types(set) {
		text += file
	}
	for _, form := range []string{
		// An embedded struct, an optional field, a value that is excluded.
		"export interface ReleaseGuarantee extends Guarantee {\n",
		"  method?: Exclude<Method, \"auto\">;\n",
		// A union of types, of texts, of numbers; null; a list that is not changed.
		"export type Affordance = Afforded | NotAfforded;\n",
		"  affords: true;\n",
		"export type Adjacency = \"add-remove\" | \"replace-one\";\n",
		"  version: 1 | 2 | 3;\n",
		"  account: Account | null;\n",
		"  private: (number | null)[];\n",
		"  charged: readonly Charge[];\n",
		// What depends on the label.
		"export interface Release<L extends AnyLabel = Label> {\n",
		"export type Model<L extends AnyLabel = Label> =\n  ModelFrame & (L extends ClassesLabel ? ClassVectors : Vector);\n",
		// Of what is asked, what may be left out may be undefined; of what is answered, it is there
		// or not.
		"  digest?: Uint8Array | undefined;\n",
		"  total?: AccountTotal;\n",
		// A comment of one line, and of a list.
		"  /** Default `auto`. */\n",
		" * - `pld`: its privacy loss distribution, between certified ends.\n",
	} {
		assert.True(t, strings.Contains(text, form), form)
	}
	assert.True(t, strings.Contains(text, "{@link Client.evaluate}"))
	for i, line := range strings.Split(text, "\n") {
		if strings.HasPrefix(strings.TrimSpace(line), "*") {
			assert.LessOrEqual(t, len([]rune(line)), 100, "line %d", i+1)
		}
	}
}

func TestCommentsAreLaidOut(t *testing.T) {
	text := "One two three four.\n\n  - item that is long\n    and goes on\n  - next"
	assert.Equal(t, []string{
		"One two three", "four.", "", "- item that is", "  long and goes", "  on", "- next",
	}, laidOut(text, 16))
}

func TestEachMethodOfFittingIsDescribed(t *testing.T) {
	facts, err := methodFacts()
	require.NoError(t, err)
	words := methodWords()
	for _, name := range wire.Values["FitMethod"] {
		assert.Contains(t, facts, "\n  "+key(name)+": {\n")
		assert.Contains(t, words, "\n  "+key(name)+": {\n")
	}
	assert.Contains(t, facts, "export const leastHuberWidth = 0.0078125;\n")
}
