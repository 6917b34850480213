package figures

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
)

// Run is the main function of a program that writes a report: it ends at an interrupt, and says
// what went wrong.
func Run(name string, program func(ctx context.Context, args []string, say io.Writer) error) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := program(ctx, os.Args[1:], os.Stderr)
	stop()
	if err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, name+":", err)
		os.Exit(1)
	}
}

// Flags are those of such a program: where it reads data from, and what folder it writes into.
func Flags(name string, say io.Writer) (flags *flag.FlagSet, data, out *string) {
	flags = flag.NewFlagSet(name, flag.ContinueOnError)
	flags.SetOutput(say)
	data = flags.String(
		"data", cmp.Or(os.Getenv("CLOISTER_DATA"), filepath.Join("..", "shared", "data")),
		"folder of the published data sets",
	)
	out = flags.String("out", filepath.Join("build", "reproduce"), "folder to write into")
	return flags, data, out
}
