package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"

	"cloister/core/lab"
)

// progress tells how far the runs are: a bar that is drawn over on a terminal,
// a line now and then elsewhere. What is left is estimated by what runs of the
// same method on the same set took.
type progress struct {
	out      io.Writer
	terminal bool
	every    time.Duration
	now      func() time.Time

	mu       sync.Mutex
	total    int
	finished int
	left     map[kind]int
	took     map[kind]average
	workers  int
	last     time.Time
	current  string
}

// kind is what takes about the same time.
type kind struct{ set, method, effort string }

func kindOf(c lab.Cell) kind { return kind{c.Set, c.Method, string(c.Effort)} }

func kindOfPath(p lab.Path) kind { return kind{p.Set, p.Schedule + " noise", ""} }

type average struct {
	seconds float64
	runs    int
}

func newProgress(out io.Writer) *progress {
	p := &progress{
		out:   out,
		every: 15 * time.Second,
		now:   time.Now,
		left:  map[kind]int{},
		took:  map[kind]average{},
	}
	if file, ok := out.(*os.File); ok {
		info, err := file.Stat()
		p.terminal = err == nil && info.Mode()&os.ModeCharDevice != 0
	}
	if p.terminal {
		p.every = 200 * time.Millisecond
	}
	return p
}

// begin says how much is done already, and what is left.
func (p *progress) begin(finished int, left map[kind]int, workers int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.total, p.finished, p.workers, p.left = finished, finished, workers, left
	for _, n := range left {
		p.total += n
	}
	if finished > 0 {
		fmt.Fprintf(p.out, "%d of %d runs are there already.\n", finished, p.total)
	}
}

// know takes note of what an earlier run took.
func (p *progress) know(k kind, seconds float64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.add(k, seconds)
}

func (p *progress) add(k kind, seconds float64) {
	a := p.took[k]
	p.took[k] = average{a.seconds + seconds, a.runs + 1}
}

// done counts a run.
func (p *progress) done(k kind, seconds float64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.finished++
	p.left[k]--
	p.add(k, seconds)
	p.current = k.set + ", " + k.method
	if now := p.now(); now.Sub(p.last) >= p.every || p.finished == p.total {
		p.last = now
		p.say()
	}
}

// remaining is the estimate: nothing is known of a kind that never ran but what
// the others of its method, or all, took.
func (p *progress) remaining() time.Duration {
	var all average
	methods := map[string]average{}
	for k, a := range p.took {
		all.seconds, all.runs = all.seconds+a.seconds, all.runs+a.runs
		m := methods[k.method]
		methods[k.method] = average{m.seconds + a.seconds, m.runs + a.runs}
	}
	seconds := 0.0
	for k, n := range p.left {
		for _, a := range []average{p.took[k], methods[k.method], all} {
			if a.runs > 0 {
				seconds += float64(n) * a.seconds / float64(a.runs)
				break
			}
		}
	}
	return time.Duration(seconds / float64(p.workers) * float64(time.Second))
}

func (p *progress) say() {
	share := float64(p.finished) / float64(p.total)
	text := fmt.Sprintf(
		"%5.1f %%  %d of %d runs, %s left", 100*share, p.finished, p.total, about(p.remaining()),
	)
	if !p.terminal {
		fmt.Fprintf(p.out, "%s (%s)\n", text, p.current)
		return
	}
	const width = 24
	filled := int(share * width)
	fmt.Fprintf(
		p.out, "\r\x1b[K[%s%s] %s  %s", strings.Repeat("█", filled),
		strings.Repeat("·", width-filled), text, p.current,
	)
}

func (p *progress) end() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.terminal && p.finished > 0 {
		fmt.Fprintln(p.out)
	}
}

// about is a duration in words.
func about(d time.Duration) string {
	switch {
	case d < time.Minute:
		return fmt.Sprintf("%d s", int(d.Seconds()+0.5))
	case d < time.Hour:
		return fmt.Sprintf("%d min", int(d.Minutes()+0.5))
	}
	return fmt.Sprintf("%.1f h", d.Hours())
}
