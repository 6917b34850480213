package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/lab"
)

// TestMain lets the test binary stand in for the command, so that a test can
// kill it.
func TestMain(m *testing.M) {
	if args := os.Getenv("REPRODUCE_ARGS"); args != "" {
		if err := reproduce(context.Background(), strings.Fields(args), os.Stderr); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func arguments(out string) []string {
	return []string{
		"-sets",
		"synthetic-2d",
		"-methods",
		"amp",
		"-epsilon",
		"0.5,1,2,4",
		"-trials",
		"25",
		"-out",
		out,
		"-workers",
		"2",
	}
}

func lines(t *testing.T, path string) []string {
	text, err := os.ReadFile(path)
	if os.IsNotExist(err) {
		return nil
	}
	require.NoError(t, err)
	return strings.SplitAfter(string(text), "\n")
}

// withoutSeconds is a line without what differs from run to run.
func withoutSeconds(line string) string {
	fields := strings.Split(line, ",")
	if len(fields) != len(columns) {
		return line
	}
	fields[14] = ""
	return strings.Join(fields, ",")
}

// A run is killed in the middle, and what it was writing is torn; the next one
// keeps every whole line, runs the rest, and ends up with what an uninterrupted
// run has.
func TestARunThatWasKilledGoesOn(t *testing.T) {
	whole, killed := t.TempDir(), t.TempDir()
	require.NoError(t, reproduce(t.Context(), arguments(whole), io.Discard))
	want := lines(t, filepath.Join(whole, "results.csv"))
	require.Len(t, want, 1+100+1) // header, runs, nothing after the last

	path := filepath.Join(killed, "results.csv")
	command := exec.Command(os.Args[0])
	command.Env = append(os.Environ(), "REPRODUCE_ARGS="+strings.Join(arguments(killed), " "))
	require.NoError(t, command.Start())
	deadline := time.Now().Add(20 * time.Second)
	for len(lines(t, path)) < 20 && time.Now().Before(deadline) {
		time.Sleep(time.Millisecond)
	}
	require.NoError(t, command.Process.Kill())
	_ = command.Wait()
	first := lines(t, path)
	require.Greater(t, len(first), 15)
	first = first[:min(len(first), 60)]
	// However far it came: 60 lines at most, and then a torn one.
	torn := strings.Join(first[:len(first)-1], "") + want[50][:len(want[50])/2]
	require.NoError(t, os.WriteFile(path, []byte(torn), 0o644))

	var said bytes.Buffer
	require.NoError(t, reproduce(t.Context(), arguments(killed), &said))
	assert.Contains(t, said.String(), fmt.Sprintf("%d of 100 runs are there already", len(first)-2))
	got := lines(t, path)
	assert.Equal(t, first[:len(first)-1], got[:len(first)-1], "whole lines are kept as they are")
	for i := range want {
		want[i] = withoutSeconds(want[i])
	}
	for i := range got {
		got[i] = withoutSeconds(got[i])
	}
	assert.ElementsMatch(t, want, got)

	// Once more: nothing is left to do, nothing is written.
	before, err := os.ReadFile(path)
	require.NoError(t, err)
	require.NoError(t, reproduce(t.Context(), arguments(killed), io.Discard))
	after, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.Equal(t, before, after)
	for _, name := range []string{"summary.csv", "report.md", "synthetic-2d.svg"} {
		assert.FileExists(t, filepath.Join(killed, name))
	}
}

func TestAnInterruptKeepsWhatIsDone(t *testing.T) {
	out := t.TempDir()
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		for len(lines(t, filepath.Join(out, "results.csv"))) < 5 {
			time.Sleep(time.Millisecond)
		}
		cancel()
	}()
	assert.ErrorIs(t, reproduce(ctx, arguments(out), io.Discard), context.Canceled)
	n := len(lines(t, filepath.Join(out, "results.csv")))
	assert.True(t, n >= 5 && n < 100, n)
	assert.FileExists(t, filepath.Join(out, "report.md"))
}

func TestResultsOfAnEarlierRevisionDoNotCount(t *testing.T) {
	out := t.TempDir()
	args := []string{
		"-sets",
		"synthetic-2d",
		"-methods",
		"amp",
		"-epsilon",
		"1",
		"-trials",
		"2",
		"-out",
		out,
	}
	require.NoError(t, reproduce(t.Context(), args, io.Discard))
	path := filepath.Join(out, "results.csv")
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	old := strings.Replace(string(text), "synthetic-2d@1/amp@", "synthetic-2d@0/amp@", 1)
	require.NotEqual(t, string(text), old)
	require.NoError(t, os.WriteFile(path, []byte(old), 0o644))
	var said bytes.Buffer
	require.NoError(t, reproduce(t.Context(), args, &said))
	assert.Contains(t, said.String(), "1 results are of earlier versions")
	assert.Len(t, lines(t, path), 1+3+1)

	// A method that does something else today, its revision forgotten.
	text, err = os.ReadFile(path)
	require.NoError(t, err)
	probe, err := lab.Probe(t.Context(), "amp")
	require.NoError(t, err)
	require.Contains(t, string(text), ","+probe+",")
	require.NoError(
		t,
		os.WriteFile(path, []byte(strings.ReplaceAll(string(text), ","+probe+",", ",0.5,")), 0o644),
	)
	said.Reset()
	require.NoError(t, reproduce(t.Context(), args, &said))
	assert.Contains(t, said.String(), "3 results are of earlier versions")
	assert.Len(t, lines(t, path), 1+5+1)
}

func TestABrokenResultsFileIsNamed(t *testing.T) {
	out := t.TempDir()
	path := filepath.Join(out, "results.csv")
	line := (timed{Result: lab.Result{Cell: lab.Cell{Set: "iris", Method: "amp", Epsilon: 1,
		Delta: 1e-5, Trial: 1, Effort: lab.Full}}}).record()
	line[4] = "one"
	require.NoError(
		t,
		os.WriteFile(
			path, []byte(strings.Join(columns, ",")+"\n"+strings.Join(line, ",")+"\n"), 0o644,
		),
	)
	_, err := openStore(path, nil)
	assert.ErrorContains(
		t,
		err,
		`results.csv: line 2: epsilon is "one": it must be a number; move it away`,
	)
}

func TestFlagsThatAreWrongAreNamed(t *testing.T) {
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"-sets", "mnist"}, "choose from adult"},
		{[]string{"-methods", "amp,magic"}, "choose from amp"},
		{[]string{"-epsilon", "one"}, `"one" is no number`},
		{[]string{"-workers", "0"}, "1 or more"},
		{[]string{"quick"}, `"quick" is not understood`},
	} {
		err := reproduce(t.Context(), append(c.args, "-out", t.TempDir()), io.Discard)
		assert.ErrorContains(t, err, c.want)
	}
	// A plan that cannot be run says so before anything is written.
	err := reproduce(
		t.Context(),
		[]string{
			"-sets",
			"iris",
			"-data",
			t.TempDir(),
			"-epsilon",
			"-1",
			"-sets",
			"synthetic-2d",
			"-methods",
			"amp",
			"-out",
			t.TempDir(),
		},
		io.Discard,
	)
	assert.ErrorContains(t, err, "epsilon is -1")
}

func TestSetsThatAreAbsentAreLeftOut(t *testing.T) {
	var said bytes.Buffer
	out := t.TempDir()
	require.NoError(
		t,
		reproduce(
			t.Context(),
			[]string{
				"-sets",
				"adult,synthetic-2d",
				"-methods",
				"amp",
				"-epsilon",
				"1",
				"-trials",
				"1",
				"-data",
				t.TempDir(),
				"-out",
				out,
			},
			&said,
		),
	)
	assert.Contains(t, said.String(), "adult is left out: open ")
	assert.Len(t, lines(t, filepath.Join(out, "results.csv")), 1+1+1)
}

func TestQuickIsLessAndFlagsOverrideIt(t *testing.T) {
	o, err := parse([]string{"-quick"}, io.Discard)
	require.NoError(t, err)
	assert.Equal(t, lab.Quick, o.plan.Effort)
	assert.Equal(t, 3, o.plan.Trials)
	assert.Equal(t, filepath.Join("build", "reproduce-quick"), o.out)
	o, err = parse([]string{"-quick", "-trials", "7", "-epsilon", "0.5, 2"}, io.Discard)
	require.NoError(t, err)
	assert.Equal(t, 7, o.plan.Trials)
	assert.Equal(t, []float64{0.5, 2}, o.plan.Epsilons)
	o, err = parse(nil, io.Discard)
	require.NoError(t, err)
	assert.Equal(t, lab.Epsilons, o.plan.Epsilons)
	assert.Equal(t, 10, o.plan.Trials)
	assert.Len(t, o.plan.Sets, 6)
	assert.Len(t, o.plan.Methods, len(lab.Methods()))
}

// The estimate, by hand: of two kinds, one took 2 s a run and has 6 left, the
// other never ran and is taken for its method's 2 s, 4 left; two at a time.
func TestProgressEstimates(t *testing.T) {
	var out bytes.Buffer
	p := newProgress(&out)
	clock := time.Unix(0, 0)
	p.now = func() time.Time { return clock }
	p.begin(9, map[kind]int{{"iris", "amp", "full"}: 7, {"adult", "amp", "full"}: 4}, 2)
	clock = clock.Add(time.Minute)
	p.done(kind{"iris", "amp", "full"}, 2)
	p.end()
	assert.Equal(
		t, "9 of 20 runs are there already.\n 50.0 %  10 of 20 runs, 10 s left (iris, amp)\n",
		out.String(),
	)
	assert.Equal(t, "59 s", about(59*time.Second))
	assert.Equal(t, "5 min", about(5*time.Minute))
	assert.Equal(t, "1.5 h", about(90*time.Minute))
}

func TestPointsReadAsPoints(t *testing.T) {
	assert.Equal(
		t, "+1.50 ± 0.25", signedPoints(lab.Mean{Trials: 3, Value: 0.015, HalfWidth: 0.0025}),
	)
	assert.Equal(
		t, "-0.10", signedPoints(lab.Mean{Trials: 1, Value: -0.001, HalfWidth: math.Inf(1)}),
	)
}
