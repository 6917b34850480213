package fitting

import (
	"bytes"
	"crypto/sha256"
	"math"
	"strconv"

	"cloister/core/data"
	"cloister/core/ledger"
	"cloister/core/privacy"
	"cloister/wasm/api"
)

// reading is a file that comes in piece by piece. After an error it gives the
// same error again.
type reading interface {
	begin(part string) error
	write(chunk []byte) error
	rows() int // read so far

	// finish keeps what came of it under a number, and says what that is.
	finish(id int) (map[string]any, error)
}

// intake is a reading with the digests of what it reads.
type intake struct {
	reading
	content ledger.Content
	of      int // a file that was read before, whose whole digest this is for; 0: none
}

// open begins a reading: {purpose: "dataset", schema, size, room?}, {purpose: "suggest", label?,
// size}, {purpose: "lookalikes", schema, size}, {purpose: "bounds", columns, missingValues?, size},
// the same for "categories", {purpose: "scorecard", schema, points?, size}, the schema being a
// card's, or {purpose: "content", size, of?}. size is what the parts declare
// together, in bytes; a source over MaxBytes is refused here, before any of it comes in (its
// content alone takes no memory). All but
// the last take header too, "first" or "none", which says whether the first line names the columns;
// left out, it is judged, and the reading is refused ("header") if that line looks like a record.
// With "none", and but where a schema is to be suggested, names says what the columns are called,
// in their order, "" for one that is not used.
// They take delimiter as well, what stands between fields; left out, it is found.
// A "dataset" takes {keepers, file} too: the numbers of workers that keep rows of it, and of the
// file, a single one, that the worker's script reads; see scattered.
// room bounds the bytes of the design matrix; what it is by itself (data.DefaultMaxMatrixBytes) is
// the most that it can be.
//
// Every reading but one for lookalikes, of which nothing is kept, takes the digest of the content
// along. A suggestion and a reading of the content alone reply with a number for it, content, that
// stands for the file where only its content matters (the field "dataset" of ledger.find and the
// like), and that dataset.free frees.
//
// With apart: true the digest (ledger.Content) is left to the worker's script, which has the
// browser's own SHA-256 take it of the same bytes; read.finish needs it here. With whole: true the
// whole digest is taken here besides, which takes as long as all the rest of a reading. It is for
// files that cannot be read twice. Of others a ledger may ask for it later (ledger.UntakenError):
// then the file is read again for its content, "of" being its number, and the whole digest is added
// to that number, unless the file's list digest has changed.
func (s *Session) open(call *api.Call) (map[string]any, error) {
	f := call.Fields
	size := f.NumberOr("size", 0)
	if size > math.MaxInt64/2 {
		size = math.MaxInt64 / 2
	}
	digests := ledger.Content{Elsewhere: f.Bool("apart"), Whole: f.Bool("whole")}
	of := 0
	var begun reading
	var err error
	switch purpose := f.Text("purpose"); purpose {
	case "dataset":
		begun, err = s.openDataset(f, int64(size))
	case "suggest":
		begun, err = openSuggestion(f, int64(size))
	case "lookalikes":
		begun, err = openLookalikes(f, int64(size))
	case "bounds", "categories":
		begun, err = s.openCount(f, int64(size), purpose == "categories")
	case "scorecard":
		begun, err = s.openCells(f, int64(size))
	case "content":
		begun = contentAlone{}
		if f.Has("of") {
			of, digests.Whole = f.Int("of"), true
			if _, err := s.Content(of); err != nil {
				return nil, err
			}
		}
	default:
		f.Bad(
			"purpose",
			`"dataset", "suggest", "lookalikes", "bounds", "categories", "scorecard" or "content"`,
		)
	}
	if err != nil {
		return nil, err
	}
	if err := f.Done(); err != nil {
		return nil, err
	}
	id := s.newID()
	s.readings[id] = &intake{reading: begun, content: digests, of: of}
	return map[string]any{"reading": id}, nil
}

func (s *Session) reading(f *privacy.Fields) (int, *intake, error) {
	id := f.Int("reading")
	r, ok := s.readings[id]
	if !ok {
		return 0, nil, &api.Error{
			Code:    api.CodeDatasetLost,
			Field:   "reading",
			Message: "There is no reading " + strconv.Itoa(id) + " here. Open the file again.",
		}
	}
	return id, r, nil
}

func (s *Session) part(call *api.Call) (map[string]any, error) {
	_, r, err := s.reading(call.Fields)
	if err != nil {
		return nil, err
	}
	name := call.Fields.TextOr("name", "")
	if err := call.Fields.Done(); err != nil {
		return nil, err
	}
	r.content.Begin()
	return nil, r.begin(name)
}

func (s *Session) append(call *api.Call) (map[string]any, error) {
	_, r, err := s.reading(call.Fields)
	if err != nil {
		return nil, err
	}
	chunk, ok := call.Fields.Any("bytes").([]byte)
	if !ok {
		call.Fields.Bad("bytes", "an array of bytes")
	}
	if err := call.Fields.Done(); err != nil {
		return nil, err
	}
	if _, hint := r.reading.(*lookalikes); !hint {
		r.content.Write(chunk)
	}
	if err := r.write(chunk); err != nil {
		return nil, err
	}
	reply := map[string]any{"rows": r.rows()}
	// What others read they take the digest of, in their scripts.
	if d := r.parted(); d != nil && r.content.Elsewhere && !r.content.Whole {
		if cuts := d.ahead(chunk); cuts != nil {
			reply["cuts"] = cuts
		}
	}
	return reply, nil
}

// parted is a reading of whose rows other workers keep a part; nil: it is none.
func (r *intake) parted() *datasetReading {
	if d, ok := r.reading.(*datasetReading); ok && d.parted != nil {
		return d
	}
	return nil
}

// joinRange takes {reading, at}, where a range begins that another worker reads, one of the cuts
// that read.append has answered, and how many bytes of the content are before it. With joined: true
// the range was read there: the worker's script goes on after it, and its digest with {head,
// digests, tail, ends} (site/src/client/content.ts). Else it goes on with the range.
func (s *Session) joinRange(call *api.Call) (map[string]any, error) {
	_, r, err := s.reading(call.Fields)
	if err != nil {
		return nil, err
	}
	at := call.Fields.Number("at")
	d := r.parted()
	if d == nil {
		call.Fields.Bad("reading", "one of whose rows other workers keep a part")
	}
	if err := call.Fields.Done(); err != nil {
		return nil, err
	}
	reply, err := d.parted.join(d.parser, at)
	if err != nil {
		return nil, err
	}
	joined := reply != nil
	if !joined {
		reply = map[string]any{}
	}
	reply["joined"], reply["rows"] = joined, r.rows()
	return reply, nil
}

// finish ends the reading, whatever comes of it: {reading, digest?}, the digest
// where it was taken apart.
func (s *Session) finish(call *api.Call) (map[string]any, error) {
	id, r, err := s.reading(call.Fields)
	if err != nil {
		return nil, err
	}
	var list []byte
	if r.content.Elsewhere {
		list, _ = call.Fields.Any("digest").([]byte)
		if len(list) != sha256.Size {
			call.Fields.Bad("digest", "32 bytes")
		}
	}
	if err := call.Fields.Done(); err != nil {
		return nil, err
	}
	delete(s.readings, id)
	content := r.content.Sum()
	if r.content.Elsewhere {
		content.List = [sha256.Size]byte(list)
	}
	if r.of != 0 {
		return s.known(r.of, content)
	}
	kept := s.newID()
	reply, err := r.finish(kept)
	if err != nil {
		return nil, err
	}
	if _, hint := r.reading.(*lookalikes); hint {
		return reply, nil
	}
	s.contents[kept] = content
	return reply, nil
}

// known adds the whole digest to what is known of a file, which was read again for it.
func (s *Session) known(id int, content ledger.Identity) (map[string]any, error) {
	before, err := s.Content(id)
	if err != nil {
		return nil, err
	}
	if before.List != content.List {
		return nil, &api.Error{
			Code:    api.CodeDatasetLost,
			Field:   "dataset",
			Message: "The file has changed since it was opened. Open it again.",
		}
	}
	s.contents[id] = content
	return map[string]any{"content": id}, nil
}

func (s *Session) cancel(call *api.Call) (map[string]any, error) {
	id := call.Fields.Int("reading")
	if err := call.Fields.Done(); err != nil {
		return nil, err
	}
	delete(s.readings, id)
	return nil, nil
}

// datasetReading turns a file into a dataset of the session.
type datasetReading struct {
	session *Session
	parser  *data.Parser
	schema  *data.Schema
	parted  *scattered // nil: all rows stay here
	file    file       // that it reads, if other workers keep rows
	room    float64    // bytes of the matrix
	begun   bool
}

func (s *Session) openDataset(f *privacy.Fields, size int64) (reading, error) {
	schema, err := readSchema(f)
	if err != nil {
		return nil, err
	}
	room := min(f.NumberOr("room", data.DefaultMaxMatrixBytes), data.DefaultMaxMatrixBytes)
	if !(room >= 1) {
		f.Bad("room", "a number of bytes, 1 or more")
		return nil, nil
	}
	options := readOptions(f, size)
	options.MaxMatrixBytes = int64(room)
	parser, err := data.NewParser(schema, options)
	if err != nil {
		return nil, err
	}
	r := &datasetReading{session: s, parser: parser, schema: schema, room: room}
	if f.Has("keepers") {
		r.file = file{s.others, f.Int("file")}
		keepers := f.Numbers("keepers")
		if n := len(keepers); n < 1 || n >= data.Blocks {
			f.Bad("keepers", "from 1 to 11 workers")
		} else {
			r.parted = s.scatter(parser, schema, keepers)
		}
	}
	return r, nil
}

// readOptions reads what is said of the layout of a file: "header", "delimiter" and "names".
func readOptions(f *privacy.Fields, size int64) data.ReadOptions {
	options := data.ReadOptions{
		Delimiter: readDelimiter(f),
		Header:    readHeader(f),
		Size:      size,
		MaxBytes:  MaxBytes,
	}
	if f.Has("names") {
		options.Names = f.Texts("names")
		if options.Header != data.HeaderNone {
			f.Bad("names", `left out, unless header is "none"`)
		}
	}
	return options
}

// readHeader reads the field "header".
func readHeader(f *privacy.Fields) data.Header {
	header := data.Header(f.TextOr("header", ""))
	if header != data.HeaderJudged && header != data.HeaderFirst && header != data.HeaderNone {
		f.Bad("header", `"first" or "none"`)
	}
	return header
}

// readDelimiter reads the field "delimiter", one sign; 0 if it is left out.
func readDelimiter(f *privacy.Fields) byte {
	text := f.TextOr("delimiter", "")
	switch len(text) {
	case 0:
		return 0
	case 1:
		return text[0]
	}
	f.Bad("delimiter", "one sign, such as , or ; or a tab or a space")
	return 0
}

// layout says how a file is laid out; the signs in it are the holder's to see.
func layout(l data.Layout) map[string]any {
	return map[string]any{
		"delimiter": string(rune(l.Delimiter)),
		"quoted":    l.Quoted,
		"columns":   l.Columns,
		"header":    l.Header,
	}
}

func (r *datasetReading) begin(part string) error {
	if r.begun && r.parted != nil {
		return &api.Error{
			Code:    api.CodeParameter,
			Field:   "keepers",
			Message: "Other workers keep rows of a single file alone.",
		}
	}
	r.begun = true
	return r.parser.Begin(part)
}

func (r *datasetReading) write(chunk []byte) error { return r.parser.Write(chunk) }
func (r *datasetReading) rows() int                { return r.parser.RowsSoFar() }

// ahead looks whether other workers can read ranges of the file from here on, chunk being what was
// written last.
func (r *datasetReading) ahead(chunk []byte) []float64 {
	c := r.parted
	if c.tried {
		return nil
	}
	if read, _, _ := r.parser.SoFar(); read == int64(len(chunk)) {
		c.marks = bytes.HasPrefix(chunk, []byte("\xef\xbb\xbf"))
	}
	c.cr = c.cr || bytes.IndexByte(chunk, '\r') >= 0
	return c.ahead(r.parser, r.file, r.room)
}

func (r *datasetReading) finish(id int) (map[string]any, error) {
	dataset, err := r.close()
	if err != nil {
		return nil, err
	}
	of, rows, counts := dataset, 0, newClassCounts(&r.schema.Label)
	if dataset != nil {
		rows = dataset.X.Rows()
		counts.add(dataset.Y)
		r.session.datasets[id] = dataset
	} else {
		of, rows, counts = r.parted.here, r.parted.Rows(), r.parted.counts
		r.session.parted[id] = r.parted
	}
	schema, err := of.Schema.Tree()
	if err != nil {
		return nil, err
	}
	r.session.pace()
	return map[string]any{
		"dataset": id,
		"schema":  schema,
		"rows":    rows,
		"classes": counts.tree(),
		"columns": columns(of.Schema),
		"tally":   tally(of),
		"layout":  layout(of.Layout),
	}, nil
}

// close ends the reading. The data set is nil if other workers keep a part of it.
func (r *datasetReading) close() (*data.Dataset, error) {
	if r.parted == nil {
		return r.parser.Close()
	}
	return r.parted.close(r.parser, r.file)
}

// contentAlone takes nothing of a file but the digest.
type contentAlone struct{}

func (contentAlone) begin(string) error { return nil }
func (contentAlone) write([]byte) error { return nil }
func (contentAlone) rows() int          { return 0 }

func (contentAlone) finish(id int) (map[string]any, error) {
	return map[string]any{"content": id}, nil
}

// classCounts counts the rows of each class.
type classCounts struct {
	label   *data.Label
	numbers []int
}

func newClassCounts(label *data.Label) classCounts {
	return classCounts{label, make([]int, len(label.ClassNames()))}
}

func (c classCounts) add(labels []float64) {
	if len(c.numbers) == 0 {
		return
	}
	for _, y := range labels {
		if c.label.Type == data.TwoClasses {
			y = (y + 1) / 2
		}
		c.numbers[int(y)]++
	}
}

// tree is negative and positive for two classes, a list in the schema's order for several, nothing
// for a number.
func (c classCounts) tree() any {
	if len(c.numbers) == 0 {
		return map[string]any{}
	}
	if c.label.Type == data.TwoClasses {
		return map[string]any{"negative": c.numbers[0], "positive": c.numbers[1]}
	}
	out := make([]any, len(c.numbers))
	for k, n := range c.numbers {
		out[k] = n
	}
	return out
}

func tally(dataset *data.Dataset) map[string]any {
	t := &dataset.Tally
	features := make([]any, len(t.Features))
	for i, f := range t.Features {
		features[i] = map[string]any{
			"name":    dataset.Schema.Features[i].Name,
			"missing": f.Missing,
			"unknown": f.Unknown,
			"clamped": f.Clamped,
		}
	}
	return map[string]any{
		"bytes":        float64(t.Bytes),
		"rows":         t.Rows,
		"kept":         t.Kept,
		"dropped":      t.Dropped,
		"labelMissing": t.LabelMissing,
		"labelClamped": t.LabelClamped,
		"features":     features,
	}
}
