package ledger

import (
	"fmt"
	"math"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"cloister/core/privacy"
	"cloister/core/random/randomtest"
)

// A forger exchanges files between two ledgers, changes several fields of them at once so that
// they fit each other, and goes on charging. What each ledger has to hold to is kept beside it,
// apart from package ledger.

// promised is what one ledger owes to one content.
type promised struct {
	budget  *privacy.Guarantee // the least that was set here after a charge, or the last before
	paid    map[string]float64 // charges reserved here, by ID: σ
	digests map[string]string  // of those, what was committed here: digest → ID
	told    bool               // a file with charges of it, or a release of it, is known
}

// desk is a ledger with what it owes, by content.
type desk struct {
	ledger *Ledger
	store  *Memory
	owes   map[string]*promised
	files  [][]byte // what it exported
}

func newDesk() *desk {
	store := &Memory{}
	return &desk{ledger: New(store, nil), store: store, owes: map[string]*promised{}}
}

// costsOf is the exact δ(ε) of Gaussians of these σ together (Balle & Wang 2018), by erfc.
func costsOf(square, epsilon float64) float64 {
	if square == 0 {
		return 0
	}
	mu := math.Sqrt(square)
	normal := func(x float64) float64 { return math.Erfc(-x/math.Sqrt2) / 2 }
	epsilon = math.Min(epsilon, 700) // whose exponential is finite
	return normal(mu/2-epsilon/mu) - math.Exp(epsilon)*normal(-mu/2-epsilon/mu)
}

// squareOf is Σ1/σ² of an account's charges: of Gaussians, and of what a forger wraps them in.
func squareOf(events []Charge) (sum float64) {
	for _, c := range events {
		privacy.Walk(c.Event, func(event privacy.Event) {
			if g, is := event.(privacy.Gaussian); is {
				sum += 1 / (g.Sigma * g.Sigma)
			}
		})
	}
	return sum
}

// holds asserts that a ledger keeps what it owes.
func (k *desk) holds(t *testing.T, says string) {
	t.Helper()
	for name, owed := range k.owes {
		d, err := k.ledger.Find(ctx, content(name))
		require.NoError(t, err, says)
		require.NotNil(t, d, says)
		here := map[string]Charge{}
		for _, c := range d.Charges {
			_, twice := here[c.ID]
			require.False(t, twice, says)
			here[c.ID] = c
			if _, own := owed.paid[c.ID]; !own && !k.owns(c.ID) {
				require.True(t, c.FromFile(), "%s: %s", says, c.ID)
			}
		}
		for id, sigma := range owed.paid {
			c, there := here[id]
			require.True(t, there, says)
			require.Equal(t, gaussian(sigma), c.Event, says)
		}
		for digest, id := range owed.digests {
			require.Equal(t, Committed, here[id].State, says)
			require.Equal(t, digest, here[id].Digest, says)
			c, _, err := k.ledger.PaidBy(ctx, digest)
			require.NoError(t, err, says)
			require.False(t, c.FromFile(), says)
			_, release := k.digestOwner(digest)
			require.True(t, release, says)
		}
		if owed.budget != nil && len(owed.paid) > 0 {
			require.NotNil(t, d.Budget, says)
			require.LessOrEqual(t, d.Budget.Epsilon, owed.budget.Epsilon, says)
			require.LessOrEqual(t, d.Budget.Delta, owed.budget.Delta, says)
			require.Equal(t, owed.budget.Adjacency, d.Budget.Adjacency, says)
		}
		if d.Budget == nil {
			continue
		}
		spent, condition, err := d.Spent()
		require.NoError(t, err, says)
		if d.Budget.Adjacency == privacy.ReplaceOne {
			continue
		}
		exact := costsOf(squareOf(d.Charges), spent)
		require.LessOrEqual(t, exact, d.Budget.Delta*(1+1e-9)+1e-15, "%s: %v", says, condition)
		if condition != Exceeded {
			require.LessOrEqual(t, spent, d.Budget.Epsilon*(1+1e-12), says)
		}
	}
}

func (k *desk) owns(id string) bool {
	for _, owed := range k.owes {
		if _, own := owed.paid[id]; own {
			return true
		}
	}
	return false
}

func (k *desk) digestOwner(digest string) (string, bool) {
	for _, owed := range k.owes {
		if id, own := owed.digests[digest]; own {
			return id, true
		}
	}
	return "", false
}

// A file's fields are changed together: each forgery is a list of such changes.
type forgery struct {
	name   string
	change func(random chance, tree map[string]any)
}

func someSet(random chance, tree map[string]any) map[string]any {
	sets := tree["datasets"].([]any)
	if len(sets) == 0 {
		return map[string]any{"charges": []any{}}
	}
	return sets[random.IntN(len(sets))].(map[string]any)
}

func eachCharge(tree map[string]any, change func(charge map[string]any)) {
	for _, set := range tree["datasets"].([]any) {
		for _, charge := range set.(map[string]any)["charges"].([]any) {
			change(charge.(map[string]any))
		}
	}
}

var forgeries = []forgery{
	{"nothing was charged, wider budgets", func(random chance, tree map[string]any) {
		set := someSet(random, tree)
		set["charges"] = []any{}
		set["budget"] = map[string]any{"adjacency": "add-remove", "epsilon": 50.0, "delta": 0.5}
	}},
	{"all are opening and only reserved", func(_ chance, tree map[string]any) {
		eachCharge(tree, func(charge map[string]any) {
			charge["opening"], charge["state"] = true, "reserved"
			delete(charge, "digest")
		})
	}},
	{"cheap twins under new IDs, of an account that takes in all others", func(
		random chance, tree map[string]any,
	) {
		also := []any{}
		for _, set := range tree["datasets"].([]any) {
			also = append(also, set.(map[string]any)["id"])
		}
		tree["datasets"] = []any{map[string]any{
			"id": newID(), "also": also, "name": "x", "created": "2024-01-01T00:00:00Z",
			"charges": []any{},
			"budget": map[string]any{
				"adjacency": "add-remove", "epsilon": []float64{1, 1e308}[random.IntN(2)], "delta": 0.9,
			},
		}}
	}},
	{"charges change places", func(random chance, tree map[string]any) {
		one, other := someSet(random, tree), someSet(random, tree)
		one["charges"], other["charges"] = other["charges"], one["charges"]
	}},
	{"IDs change places", func(random chance, tree map[string]any) {
		one, other := someSet(random, tree), someSet(random, tree)
		one["id"], other["id"] = other["id"], one["id"]
	}},
	{"IDs of charges change places", func(_ chance, tree map[string]any) {
		var before map[string]any
		eachCharge(tree, func(charge map[string]any) {
			if before != nil {
				charge["id"], before["id"] = before["id"], charge["id"]
			}
			before = charge
		})
	}},
	{"releases change places", func(_ chance, tree map[string]any) {
		var before map[string]any
		eachCharge(tree, func(charge map[string]any) {
			if before != nil && before["digest"] != nil && charge["digest"] != nil {
				charge["digest"], before["digest"] = before["digest"], charge["digest"]
			}
			before = charge
		})
	}},
	{"another's releases, under new charges of next to nothing", func(
		random chance, tree map[string]any,
	) {
		set := someSet(random, tree)
		charges := []any{}
		eachCharge(tree, func(charge map[string]any) {
			twin := map[string]any{
				"id": newID(), "purpose": "", "time": charge["time"], "state": "committed",
				"opening": true, "event": privacy.EncodeEvent(gaussian(1e40)),
			}
			if charge["digest"] != nil {
				twin["digest"] = charge["digest"]
			}
			charges = append(charges, twin)
		})
		set["charges"] = append(set["charges"].([]any), charges...)
	}},
	{"events in other clothes", func(random chance, tree map[string]any) {
		eachCharge(tree, func(charge map[string]any) {
			count := float64(random.IntN(3))
			charge["event"] = map[string]any{
				"mechanism": "composition", "adjacency": "add-remove",
				"parts": []any{map[string]any{"event": charge["event"], "count": count}},
			}
		})
	}},
	{"other neighbours", func(random chance, tree map[string]any) {
		set := someSet(random, tree)
		if budget, is := set["budget"].(map[string]any); is {
			budget["adjacency"] = "replace-one"
		}
		for _, charge := range set["charges"].([]any) {
			event := charge.(map[string]any)["event"].(map[string]any)
			event["adjacency"] = "replace-one"
		}
	}},
	{"no budget", func(random chance, tree map[string]any) {
		delete(someSet(random, tree), "budget")
	}},
	{"null budget", func(random chance, tree map[string]any) {
		someSet(random, tree)["budget"] = nil
	}},
	{"version 0", func(_ chance, tree map[string]any) {
		tree["version"] = 0.0
		for _, one := range tree["datasets"].([]any) {
			set := one.(map[string]any)
			if budget, is := set["budget"].(map[string]any); is {
				set["neighbours"] = budget["adjacency"]
			}
			for _, charge := range set["charges"].([]any) {
				charge := charge.(map[string]any)
				charge["committed"] = charge["state"] == "committed"
			}
		}
	}},
	{"every charge twice, once more in an account of its own", func(
		_ chance, tree map[string]any,
	) {
		sets := tree["datasets"].([]any)
		for _, one := range sets {
			set := one.(map[string]any)
			tree["datasets"] = append(tree["datasets"].([]any), map[string]any{
				"id": newID(), "name": set["name"], "created": set["created"],
				"charges": set["charges"],
			})
			set["charges"] = []any{}
		}
	}},
	{"one account says it is another too", func(random chance, tree map[string]any) {
		one, other := someSet(random, tree), someSet(random, tree)
		one["also"] = []any{other["id"], newID()}
	}},
	{"budgets a hair wider", func(_ chance, tree map[string]any) {
		for _, one := range tree["datasets"].([]any) {
			if budget, is := one.(map[string]any)["budget"].(map[string]any); is {
				budget["epsilon"] = budget["epsilon"].(float64) * (1 + 0x1p-52)
			}
		}
	}},
	{"less noise than there was", func(_ chance, tree map[string]any) {
		eachCharge(tree, func(charge map[string]any) {
			if event := charge["event"].(map[string]any); event["sigma"] != nil {
				event["sigma"] = 1.0
			}
			charge["id"] = newID()
		})
	}},
}

// Whatever two ledgers tell each other, and whatever a forger makes of it: each keeps every
// charge that was reserved in it, and knows which release it paid for; its budgets do not grow;
// and what it says is spent is no less than what its charges cost.
func TestFilesChangedTogetherGiveNothingBack(t *testing.T) {
	trials := 150
	if testing.Short() {
		trials = 40
	}
	if os.Getenv("CLOISTER_AUDIT") == "long" {
		trials = 5000
	}
	random := chance{randomtest.New(21)}
	imports, taken := 0, map[string]int{}
	for trial := range trials {
		desks := []*desk{newDesk(), newDesk()}
		names := []string{"one", "two", "three"}
		says := fmt.Sprint("trial ", trial)
		for range 4 + random.IntN(20) {
			k := desks[random.IntN(2)]
			name := names[random.IntN(len(names))]
			owed := k.owes[name]
			d, err := k.ledger.Find(ctx, content(name))
			require.NoError(t, err)
			switch random.IntN(9) {
			case 0:
				if d == nil {
					g := privacy.Guarantee{
						Epsilon: []float64{0.3, 1, 2}[random.IntN(3)], Delta: 1e-5,
						Adjacency: privacy.AddRemove,
					}
					says += "; create " + name
					budget := &g
					if random.IntN(4) == 0 {
						budget = nil
					}
					_, err := k.ledger.Create(ctx, content(name), name, budget)
					require.NoError(t, err)
					k.owes[name] = &promised{
						budget: budget, paid: map[string]float64{}, digests: map[string]string{},
					}
				}
			case 1, 2:
				if owed == nil {
					continue
				}
				sigma := []float64{3, 6, 20, 100}[random.IntN(4)]
				says += fmt.Sprintf("; reserve %v", sigma)
				before, _, err := d.Spent()
				require.NoError(t, err)
				c, err := k.ledger.Reserve(ctx, d.ID, gaussian(sigma), "")
				if err != nil {
					continue
				}
				owed.paid[c.ID] = sigma
				if owed.budget == nil {
					owed.budget = d.Budget
				}
				after, err := k.ledger.Dataset(ctx, d.ID)
				require.NoError(t, err)
				spent, condition, err := after.Spent()
				require.NoError(t, err)
				require.NotEqual(t, Exceeded, condition, says)
				require.GreaterOrEqual(t, spent, before*(1-1e-9), says)
				require.LessOrEqual(
					t, costsOf(squareOf(after.Charges), d.Budget.Epsilon), d.Budget.Delta, says,
				)
				if len(d.Charges) > 0 {
					opening := true
					for _, old := range d.Charges {
						opening = opening && old.State == Reserved && !old.FromFile()
					}
					require.True(t, opening || !c.Opening, says)
					require.True(t, opening || condition == Open, "%s: %v", says, condition)
				}
				if random.IntN(3) > 0 {
					digest := newID()
					require.NoError(t, k.ledger.Commit(ctx, c.ID, digest))
					owed.digests[digest] = c.ID
				}
			case 3:
				if d != nil && owed != nil {
					wide := privacy.Guarantee{
						Epsilon: 3, Delta: 1e-4, Adjacency: privacy.AddRemove,
					}
					if _, err := k.ledger.SetBudget(ctx, d.ID, wide); err == nil {
						says += "; set " + name
						if d.Budget == nil || *d.Budget != wide {
							for other, its := range k.owes { // of the same account
								same, err := k.ledger.Find(ctx, content(other))
								require.NoError(t, err)
								if same.ID == d.ID {
									require.Empty(t, its.paid, says)
									its.budget = &wide
								}
							}
						}
					}
				}
			case 4:
				sets, err := k.ledger.Datasets(ctx)
				require.NoError(t, err)
				if len(sets) == 0 {
					continue
				}
				to := sets[random.IntN(len(sets))]
				says += "; same " + name
				_, err = k.ledger.Same(ctx, content(name), to.ID, random.IntN(2) == 0)
				if err == nil && owed == nil {
					k.owes[name] = &promised{
						paid: map[string]float64{}, digests: map[string]string{},
					}
				}
			default:
				file, err := k.ledger.Export(ctx)
				require.NoError(t, err)
				k.files = append(k.files, file)
				from := desks[random.IntN(2)]
				if len(from.files) == 0 {
					continue
				}
				file = from.files[random.IntN(len(from.files))]
				which := ""
				file = signed(t, file, func(tree map[string]any) {
					for range random.IntN(4) {
						f := forgeries[random.IntN(len(forgeries))]
						f.change(random, tree)
						which += ", " + f.name
					}
				})
				imports++
				says += "; import" + which
				if _, err := k.ledger.Import(ctx, file, random.IntN(2) == 0); err == nil {
					taken[which]++
					says += " (taken)"
				}
			}
			k.holds(t, says)
		}
		for _, k := range desks { // what is read from the store is what was made
			again := *k
			again.ledger = New(k.store, nil)
			again.holds(t, says+"; read anew")
			one, err := k.ledger.Datasets(ctx)
			require.NoError(t, err)
			two, err := again.ledger.Datasets(ctx)
			require.NoError(t, err)
			require.Equal(t, comparable(one), comparable(two), says)
		}
	}
	t.Logf("%d files, of which %d kinds were taken", imports, len(taken))
}
