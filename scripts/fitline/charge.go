package fitline

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"
	"unicode"

	"cloister/core/data"
	"cloister/core/learn"
	"cloister/core/ledger"
	"cloister/core/ledger/folder"
	"cloister/core/privacy"
)

// account is what a command line says of whom a fit is charged to.
type account struct {
	folder, id     string
	epsilon, delta float64
}

func (a *account) register(flags *flag.FlagSet) {
	flags.StringVar(&a.folder, "ledger", "", "folder that keeps what is spent; left out, nothing does")
	flags.StringVar(&a.id, "account", "", "whose rows these are, if the file is new to the ledger")
	flags.Float64Var(&a.epsilon, "budget-epsilon", 0, "ε of all releases about these people, once")
	flags.Float64Var(&a.delta, "budget-delta", 0, "δ of all releases about these people, once")
}

func (a *account) check() error {
	switch {
	case a.folder == "" && (a.id != "" || a.epsilon != 0 || a.delta != 0):
		return errors.New("fit: -account, -budget-epsilon and -budget-delta need -ledger")
	case (a.epsilon == 0) != (a.delta == 0):
		return errors.New("fit: a budget is -budget-epsilon and -budget-delta")
	case a.id != "" && a.epsilon != 0:
		return errors.New("fit: an -account has a budget already")
	}
	return nil
}

// Charge is what a fit was charged. The zero Charge is that of a fit without a ledger.
type Charge struct {
	ledger *ledger.Ledger
	id     string
}

// Receipt is the charge's name in the ledger.
func (c Charge) Receipt() string { return c.id }

// Charge reserves what a fit costs, before any noise is drawn, and tells the holder of the file
// what is left then. copy writes the file out. A fit that was charged before has its receipt as
// paid: then nothing is charged, but the charge must be there, and nothing released for it.
func (l *Line) Charge(
	ctx context.Context, copy func(io.Writer) error, asked learn.Asked, fit learn.Chosen,
	paid string, told io.Writer,
) (Charge, error) {
	a := l.account
	if a.folder == "" {
		fmt.Fprintln(told, "no ledger is named: note that this fit costs what its release says")
		for _, p := range asked.Schema.Purchases() {
			sayUnknown(told, p, "no ledger is named, so that nothing is known of")
		}
		return Charge{}, nil
	}
	book := ledger.New(folder.New(a.folder), nil)
	whole, err := book.NeedsWhole(ctx)
	if err != nil {
		return Charge{}, err
	}
	content := ledger.Content{Whole: whole}
	if err := copy(writing(content.Write)); err != nil {
		return Charge{}, err
	}
	if paid != "" {
		if err := goesOn(ctx, book, content.Sum(), fit.Event, paid); err != nil {
			return Charge{}, err // it may be another fit's: it is left as it is
		}
		return Charge{book, paid}, nil
	}
	set, err := l.people(ctx, book, content.Sum(), asked.Guarantee.Adjacency)
	if err != nil {
		return Charge{}, err
	}
	for _, p := range asked.Schema.Purchases() {
		own, err := book.CheckBought(ctx, set.ID, p.Charge, p.Epsilon, p.Delta)
		if err != nil {
			return Charge{}, err
		}
		if !own {
			sayUnknown(told, p, "the ledger's account of this table has no")
		}
	}
	charge, err := book.Reserve(ctx, set.ID, fit.Event, "fit")
	if err != nil {
		return Charge{}, err
	}
	if set, err = book.Dataset(ctx, set.ID); err != nil {
		return Charge{}, err
	}
	spent, _, err := set.Spent()
	if err != nil {
		return Charge{}, err
	}
	fmt.Fprintf(told, "charged to account %s (%s): ε = %s of %s is spent with this fit\n",
		Shown(set.ID), Shown(set.Name), ledger.AtMost(spent), privacy.Number(set.Budget.Epsilon))
	return Charge{book, charge.ID}, nil
}

// sayUnknown tells the holder of the file of a charge that the schema names, and nothing else does.
func sayUnknown(told io.Writer, p data.Purchase, who string) {
	fmt.Fprintf(told, "%s charge %s, by which the schema says that bounds or categories were bought: "+
		"what it cost, and that it is about these people, is the word of whoever wrote the schema\n",
		who, Shown(p.Charge))
}

// Shown is a name as a terminal may be told it: in quotation marks, with what would move the cursor
// or end the line as its number, unless it is nothing but letters, digits, points, _ and -. Names
// in a ledger come from files that others made.
func Shown(name string) string {
	plain := func(r rune) bool {
		return unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("._-", r)
	}
	if name != "" && strings.IndexFunc(name, func(r rune) bool { return !plain(r) }) < 0 {
		return name
	}
	return strconv.Quote(name)
}

// people is the account of whom the rows are about, which is opened if a budget is given.
func (l *Line) people(
	ctx context.Context, book *ledger.Ledger, content ledger.Identity, adjacency privacy.Adjacency,
) (*ledger.Dataset, error) {
	a := l.account
	set, err := book.Find(ctx, content)
	if err != nil {
		return nil, err
	}
	budget := privacy.Guarantee{Adjacency: adjacency, Epsilon: a.epsilon, Delta: a.delta}
	switch {
	case set != nil && a.id != "" && set.ID != a.id:
		return nil, fmt.Errorf(
			"fit: this table is that of account %s (%s)", Shown(set.ID), Shown(set.Name))
	case set != nil && a.epsilon != 0:
		return book.SetBudget(ctx, set.ID, budget)
	case set != nil:
		return set, nil
	case a.id != "":
		return book.Same(ctx, content, a.id, false)
	case a.epsilon == 0:
		return nil, errors.New(
			"fit: the ledger has no account for this table. Give the people in it a budget, once, by " +
				"-budget-epsilon and -budget-delta; or, if the table is about people who have one, say " +
				"which by -account (go run ./scripts/ledger lists them)",
		)
	}
	return book.Create(ctx, content, filepath.Base(l.Data), &budget)
}

// goesOn checks that a charge is that of this event, for the people in this table, that this ledger
// made it, and that nothing was released for it. Of a charge that came with a file, the ledger that
// made it may release too, with other noise.
func goesOn(
	ctx context.Context, book *ledger.Ledger, content ledger.Identity, event privacy.Event,
	id string,
) error {
	set, err := book.Find(ctx, content)
	if err != nil {
		return err
	}
	want, err := ledger.Digest(privacy.EncodeEvent(event))
	if err != nil {
		return err
	}
	for k := 0; set != nil && k < len(set.Charges); k++ {
		charge := &set.Charges[k]
		if charge.ID != id {
			continue
		}
		have, err := ledger.Digest(privacy.EncodeEvent(charge.Event))
		switch {
		case err != nil:
			return err
		case have != want:
			return errors.New("fit: the ledger's charge for this journal is of another fit")
		case charge.Kept():
			return fmt.Errorf("fit: this fit was released: go run ./scripts/ledger -ledger … release "+
				"%s prints its release again, for nothing", id)
		case charge.State == ledger.Committed:
			return errors.New("fit: this fit came to its end; one that begins anew is charged anew")
		case charge.FromFile():
			return errors.New("fit: another ledger made the charge of this journal, and may release " +
				"for it: go on with that ledger's folder")
		}
		return nil
	}
	return errors.New("fit: the ledger does not have the charge of this journal, for the people in " +
		"this table: name the ledger that has")
}

// Failed notes that a fit that was charged came to nothing, which is an output too, and returns
// why. It notes nothing of a fit that was stopped, or that lost its file or rows that it had kept,
// if there is a journal from which it goes on.
func (c Charge) Failed(ctx context.Context, journal bool, why error) error {
	var file *fs.PathError
	lost := errors.As(why, &file) || errors.Is(why, data.ErrRows)
	if c.ledger == nil || journal && (ctx.Err() != nil || lost) {
		return why
	}
	return errors.Join(why, c.ledger.Commit(context.WithoutCancel(ctx), c.id, ""))
}

// released commits the release, before anybody is shown it.
func (c Charge) released(text []byte) error {
	if c.ledger == nil {
		return nil
	}
	var tree any
	if err := json.Unmarshal(text, &tree); err != nil {
		return err
	}
	_, err := c.ledger.CommitRelease(context.Background(), c.id, tree)
	return err
}

// writing is an io.Writer that cannot fail.
type writing func(text []byte)

func (w writing) Write(text []byte) (int, error) {
	w(text)
	return len(text), nil
}
