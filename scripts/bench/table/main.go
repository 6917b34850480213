// Table makes a large table of people that never were up, and its schema, for measurements of fits
// of files that are larger than memory. The same arguments make the same table.
//
//	go run ./scripts/bench/table -rows 16400000 -features 64 -output big.csv -schema big.json
//
// That is 20 GB: 64 numbers from 0 to 1 with 16 digits each, and a label.
package main

import (
	"bufio"
	"errors"
	"flag"
	"fmt"
	"math"
	"os"

	"cloister/scripts/madeup"
	"cloister/scripts/splitmix"
)

func main() {
	rows := flag.Int("rows", 100_000, "records")
	features := flag.Int("features", 64, "numbers in each")
	digits := flag.Int("digits", 16, "after the point of each number, 1 to 16")
	output := flag.String("output", "", "the table, CSV")
	schema := flag.String("schema", "", "its schema, JSON")
	flag.Parse()
	if err := write(*rows, *features, *digits, *output, *schema); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func write(rows, features, digits int, output, schema string) error {
	if rows < 1 || features < 1 || digits < 1 || digits > 16 {
		return errors.New("table: -rows and -features are 1 or more, -digits 1 to 16")
	}
	text, err := madeup.Schema(features).MarshalJSON()
	if err != nil {
		return err
	}
	if err := os.WriteFile(schema, append(text, '\n'), 0o644); err != nil {
		return err
	}
	file, err := os.Create(output)
	if err != nil {
		return err
	}
	to := bufio.NewWriterSize(file, 1<<20)
	for j := range features {
		fmt.Fprintf(to, "x%d,", j)
	}
	_, _ = to.WriteString("y\n")
	state, line := splitmix.Source(1), []byte(nil)
	for range rows {
		line = record(&state, features, digits, line[:0])
		_, _ = to.Write(line) // Flush returns the error
	}
	return errors.Join(to.Flush(), file.Close())
}

// record appends a line whose label follows a logistic model of ten of its numbers.
func record(state *splitmix.Source, features, digits int, line []byte) []byte {
	margin, unit := 0.0, math.Pow10(digits)
	for j := range features {
		number := uint64(state.Uniform() * unit)
		if j < 10 {
			margin += float64(2*(j%2)-1) * 3 * float64(number) / unit
		}
		from := len(line) + len("0.")
		line = append(line, "0.0000000000000000"[:2+digits]...)
		for at := len(line) - 1; at >= from; at-- {
			line[at] += byte(number % 10)
			number /= 10
		}
		line = append(line, ',')
	}
	if state.Uniform() < 1/(1+math.Exp(-margin)) {
		return append(line, "yes\n"...)
	}
	return append(line, "no\n"...)
}
