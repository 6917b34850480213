// Package fitting holds the handlers that see data. They read files, suggest schemas,
// fit, predict and check releases. Together with package accounting they are the
// cloister binary.
//
// Their replies are for the data holder only, except for releases.
package fitting

import (
	"strconv"

	"cloister/core/data"
	"cloister/core/ledger"
	"cloister/core/privacy"
	"cloister/core/random"
	"cloister/wasm/api"
)

// MaxBytes is the largest source, all parts together, that is read.
// site/src/client/limits.ts says the same, and a test compares them.
const MaxBytes = data.DefaultMaxBytes

// Session is the state behind the handlers: the files being read and the
// datasets that were. Its handlers are called one at a time.
type Session struct {
	source   random.Source
	lastID   int
	readings map[int]*intake
	datasets map[int]*data.Dataset
	parted   map[int]*scattered      // those of which other workers keep a part
	contents map[int]ledger.Identity // what they were read from
	// files that were counted for bounds: numbered as datasets are
	counted map[int]*data.Histogram
	listed  map[int]*data.TextCounts // likewise for categories
	cells   map[int]*data.Cells      // likewise for scorecards
	trials  []triedBefore            // of what was asked to be expected; the latest last
	chosen  []before                 // private choices; the latest last
	noises  map[int][]kept           // of the fits to a dataset, while it is open

	others Others // workers that can take sums for this one
	shard  shard  // of another worker's rows, for which this one takes sums
}

// NewSession returns an empty session whose noise comes from source:
// random.Secure() everywhere but in tests.
func NewSession(source random.Source) *Session {
	return &Session{
		source:   entropy{source},
		readings: map[int]*intake{},
		datasets: map[int]*data.Dataset{},
		parted:   map[int]*scattered{},
		contents: map[int]ledger.Identity{},
		counted:  map[int]*data.Histogram{},
		listed:   map[int]*data.TextCounts{},
		cells:    map[int]*data.Cells{},
	}
}

// Service is the session's handlers.
func (s *Session) Service() *api.Service {
	return api.Merge(s.Reading(), &api.Service{
		Handlers: map[string]api.Handler{
			"plan":        s.plan,
			"expect":      s.expectation,
			"attack":      s.attack,
			"attack.plan": s.planAttack,
			"fit":         api.Prepare(s.fit).Handler(),
			"evaluate":    api.Prepare(s.evaluate).Handler(),
			"bounds":      api.Prepare(s.bounds).Handler(),
			"bounds.plan": planBounds,
			"vote":        s.vote,
			"pate":        s.pate,
			"predict":     predict,
			"reprice":     reprice,
			"differences": found,
			"choice":      stateChoice,
			"regress":     regress,
			"shard.open":  s.openShard,
			"shard.pose":  s.poseShard,
			"shard.fill":  s.fillShard,
			"shard.sums":  s.takeSums,
			"shard.read":  s.readShard,
			"shard.part":  s.readPart,
			"shard.end":   s.endRead,
			"read.join":   s.joinRange,
			"shard.keep":  s.keepShard,
			"shard.rows":  s.keepRows,
			"shard.apply": s.applyShard,
			"shard.tally": s.tallyShard,
			"shard.exact": s.exactShard,

			"shard.report": s.reportShard,
			"shard.losses": s.lossesShard,

			"report":         api.Prepare(s.report).Handler(),
			"report.free":    freeReport,
			"report.plan":    planReport,
			"report.inspect": inspectReport,
			"losses":         s.losses,
			"exact":          s.exact,

			"regress.check": checkDerived,

			"categories":      api.Prepare(s.categories).Handler(),
			"categories.plan": planCategories,

			"scorecard":       api.Prepare(s.scorecard).Handler(),
			"scorecard.plan":  planScorecard,
			"scorecard.check": checkScorecard,
			"scorecard.score": scoreRows,

			"scorecard.evaluate": api.Prepare(s.evaluateScorecard).Handler(),

			"cells":       api.Prepare(s.noisyCells).Handler(),
			"cells.plan":  planNoisyCells,
			"cells.check": checkNoisyCells,
			"cells.card":  cardOfCells,
		},
	})
}

// Purchases is what can be bought, by the name of the method that does it
// without a ledger.
func (s *Session) Purchases() map[string]api.Prepare {
	return map[string]api.Prepare{
		"fit":       s.fit,
		"evaluate":  s.evaluate,
		"report":    s.report,
		"scorecard": s.scorecard,
		"cells":     s.noisyCells,

		ledger.ForBounds:     s.bounds,
		ledger.ForCategories: s.categories,
		"scorecard.evaluate": s.evaluateScorecard,
	}
}

// Content is what a ledger recognises the file by that a data set was read from.
func (s *Session) Content(id int) (ledger.Identity, error) {
	content, ok := s.contents[id]
	if !ok {
		return content, lost(id)
	}
	return content, nil
}

func (s *Session) newID() int {
	s.lastID++
	return s.lastID
}

// dataset reads the field "dataset", and has all its rows here.
func (s *Session) dataset(f *privacy.Fields) (*data.Dataset, error) {
	return s.rowsOf(f.Int("dataset"))
}

// rowsOf is the data set of a number, with all its rows.
func (s *Session) rowsOf(id int) (*data.Dataset, error) {
	if c := s.parted[id]; c != nil {
		d, err := c.gather()
		if err != nil {
			return nil, err
		}
		if s.parted[id] == c { // it was not closed meanwhile
			delete(s.parted, id)
			s.datasets[id] = d
			s.pace()
		}
		return d, nil
	}
	d, ok := s.datasets[id]
	if !ok {
		return nil, lost(id)
	}
	return d, nil
}

// schemaOf is what the data set of a number was read with.
func (s *Session) schemaOf(id int) (*data.Schema, error) {
	if c := s.parted[id]; c != nil {
		return c.schema, nil
	}
	d, ok := s.datasets[id]
	if !ok {
		return nil, lost(id)
	}
	return d.Schema, nil
}

func lost(id int) error {
	return &api.Error{
		Code:    api.CodeDatasetLost,
		Field:   "dataset",
		Message: "There is no dataset " + strconv.Itoa(id) + " here. Open the file again.",
	}
}

func (s *Session) free(call *api.Call) (map[string]any, error) {
	id := call.Fields.Int("dataset")
	if err := call.Fields.Done(); err != nil {
		return nil, err
	}
	if c := s.parted[id]; c != nil {
		c.busy.Lock() // a fit that runs may be charged, and needs the keepers to its end
		c.end()
		c.busy.Unlock()
	}
	delete(s.parted, id)
	delete(s.datasets, id)
	s.forget(id)
	delete(s.contents, id)
	delete(s.counted, id)
	delete(s.listed, id)
	delete(s.cells, id)
	s.pace()
	return nil, nil
}

// drawing tells the caller that noise is drawn from here on: the cost counts, however it ends.
func drawing(call *api.Call) { call.Progress(map[string]any{"phase": "releasing"}) }
