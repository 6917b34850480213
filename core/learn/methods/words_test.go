package methods_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"cloister/core/learn/methods"
)

func TestEachMethodHasWordsOfItsOwn(t *testing.T) {
	titles := map[string]bool{}
	for _, m := range methods.All() {
		w := methods.WordsOf(m.Name)
		assert.NotEmpty(t, w.Place, m.Name)
		assert.False(t, titles[w.Title], "two methods are called %q", w.Title)
		titles[w.Title] = true
		for _, text := range []string{w.About, w.Run} {
			assert.True(t, strings.HasSuffix(text, "."), "%s: %q is no sentence", m.Name, text)
		}
	}
}
