package ledger

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/privacy"
	"cloister/core/random/randomtest"
)

// chance draws whole numbers.
type chance struct{ source *randomtest.Seeded }

func (c chance) IntN(n int) int {
	word, _ := c.source.Uint64() // the seeded source does not fail
	return int(word % uint64(n))
}

// standing is what a ledger says of one data set that no file may better.
type standing struct {
	budget  *privacy.Guarantee
	charges map[string]Charge
	room    int // how many of a small event it affords, one after the other
	over    bool
}

func standingOf(t *testing.T, l *Ledger, id string) standing {
	t.Helper()
	d, err := l.Dataset(ctx, id)
	require.NoError(t, err)
	s := standing{budget: d.Budget, charges: map[string]Charge{}}
	for _, c := range d.Charges {
		s.charges[c.ID] = c
	}
	if d.Budget == nil {
		return s
	}
	_, condition, err := d.Spent()
	require.NoError(t, err)
	s.over = condition == Exceeded
	event := gaussian(6)
	if d.Budget.Adjacency == privacy.ReplaceOne {
		event = privacy.Gaussian{Adjacency: privacy.ReplaceOne, Sensitivity: 1, Sigma: 6}
	}
	for s.room < 8 {
		if _, err := d.Affords(event); err != nil {
			break
		}
		d.Charges = append(d.Charges, Charge{ID: newID(), Event: event, State: Committed})
		d.spending = nil
		s.room++
	}
	return s
}

// forge changes a file in one to three places as somebody would who wants budget
// back, and signs it: the checksum is no secret.
func forge(t *testing.T, random chance, file []byte) []byte {
	return signed(t, file, func(tree map[string]any) {
		for range 1 + random.IntN(3) {
			sets := tree["datasets"].([]any)
			set := sets[random.IntN(len(sets))].(map[string]any)
			charges := set["charges"].([]any)
			budget, _ := set["budget"].(map[string]any)
			switch random.IntN(12) {
			case 0:
				if budget != nil {
					budget["epsilon"] = []float64{1e-300, 0.1, 50, 1e308}[random.IntN(4)]
				}
			case 1:
				if budget != nil {
					budget["delta"] = []float64{5e-324, 0.1, 0.999999}[random.IntN(3)]
				}
			case 2:
				delete(set, "budget")
			case 3:
				set["also"] = []any{sets[random.IntN(len(sets))].(map[string]any)["id"], "another"}
			case 4:
				set["id"] = sets[random.IntN(len(sets))].(map[string]any)["id"]
			case 5:
				set["charges"] = []any{}
			case 6:
				tree["datasets"] = append(
					sets,
					map[string]any{
						"id":      newID(),
						"name":    "",
						"created": set["created"],
						"charges": charges,
					},
				)
				set["charges"] = []any{}
			case 7:
				if len(charges) > 0 {
					set["charges"] = charges[1:]
				}
			default:
				if len(charges) == 0 {
					continue
				}
				charge := charges[random.IntN(len(charges))].(map[string]any)
				switch random.IntN(6) {
				case 0:
					charge["state"] = "reserved"
					delete(charge, "digest")
				case 1:
					charge["opening"] = random.IntN(2) == 0
				case 2:
					charge["id"] = newID()
				case 3:
					charge["event"] = privacy.EncodeEvent(gaussian(1e40))
				case 4:
					charge["state"], charge["digest"] = "committed", newID()
				default:
					charge["event"] = map[string]any{
						"mechanism": "composition",
						"adjacency": "add-remove",
						"parts":     []any{map[string]any{"event": charge["event"], "count": 0.0}},
					}
				}
			}
		}
	})
}

// Whatever a file says that somebody made up, from an old export or a new one: what
// a data set has been charged stays, its budget does not grow, it affords no event
// more than before, and a release that was paid for is found under the same charge.
// (Seed 12. A file that is refused changes nothing.)
func TestNoFileGivesBudgetBack(t *testing.T) {
	random := chance{randomtest.New(12)}
	taken, refused := 0, 0
	trials := 60
	if testing.Short() {
		trials = 30
	}
	for range trials {
		l, first := opened(t, budget)
		wide := privacy.Guarantee{Epsilon: 2, Delta: 1e-5, Adjacency: privacy.AddRemove}
		second, err := l.Create(ctx, content("second"), "second", &wide)
		require.NoError(t, err)
		ids := []string{first, second.ID}
		paid := map[string]string{}
		refusal := ""
		var old []byte
		for step := range 2 + random.IntN(4) {
			event := gaussian([]float64{4, 8, 30}[random.IntN(3)])
			c, err := l.Reserve(ctx, ids[random.IntN(2)], event, "")
			if err == nil {
				switch random.IntN(4) {
				case 0: // left reserved
				case 1:
					refusal = c.ID
					require.NoError(t, l.Commit(ctx, c.ID, ""))
				default:
					digest := newID()
					paid[digest] = c.ID
					require.NoError(t, l.Commit(ctx, c.ID, digest))
				}
			}
			if step == random.IntN(3) || old == nil {
				old, err = l.Export(ctx)
				require.NoError(t, err)
			}
		}
		before := []standing{standingOf(t, l, first), standingOf(t, l, second.ID)}
		for range 2 {
			file := forge(t, random, old)
			if _, err := l.Import(ctx, file, random.IntN(2) == 0); err != nil {
				refused++
			} else {
				taken++
			}
			for k, id := range ids {
				after, was := standingOf(t, l, id), before[k]
				require.NotNil(t, after.budget)
				require.LessOrEqual(t, after.budget.Epsilon, was.budget.Epsilon, "%s", file)
				require.LessOrEqual(t, after.budget.Delta, was.budget.Delta, "%s", file)
				require.LessOrEqual(t, after.room, was.room, "%s", file)
				require.True(t, after.over || !was.over, "%s", file)
				for charge, c := range was.charges {
					now, there := after.charges[charge]
					require.True(t, there, "%s", file)
					require.Empty(t, now.differs(c), "%s", file)
					require.True(t, c.State == Reserved || now.State == Committed, "%s", file)
					require.True(t, c.Opening || !now.Opening, "%s", file)
				}
			}
			for digest, charge := range paid {
				c, _, err := l.PaidBy(ctx, digest)
				require.NoError(t, err)
				require.Equal(t, charge, c.ID, "%s", file)
			}
			if refusal != "" {
				d, err := l.Datasets(ctx)
				require.NoError(t, err)
				for _, set := range d {
					for _, c := range set.Charges {
						if c.ID == refusal {
							require.Empty(t, c.Digest, "a refusal became a release: %s", file)
						}
					}
				}
			}
		}
	}
	assert.Greater(t, taken, trials/4)
	assert.Greater(t, refused, trials/10)
}
