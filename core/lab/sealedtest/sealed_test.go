package sealedtest

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestWaysInAreFound(t *testing.T) {
	for _, text := range []string{
		"func On(d *data.Dataset) {}",
		"func On(r io.Reader) {}",
		"func On(rows [][]float64) {}",
		"func (p *Plane) On(at ...float64) {}",
		"func (p *Plane) Model() learn.Model { panic(0) }",
		"func (c *Clinic) Release() *scorecard.Release { panic(0) }",
		"type Points struct { At []float64 }",
		"type Points struct { Label string; Data any }",
	} {
		found, _ := Mentioned(t, "package plane\n"+text, "Fits")
		assert.NotEmpty(t, found, text)
	}
	found, exported := Mentioned(t, "package plane\ntype Fits struct { Lines []Line }", "Fits")
	assert.Empty(t, found)
	assert.Equal(t, 1, exported)
}
