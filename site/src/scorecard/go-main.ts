/** What an exported Go program imports, for its records and its arithmetic. */
export const goImports = [
  "bufio",
  "encoding/csv",
  "encoding/json",
  "errors",
  "fmt",
  "io",
  "math",
  "os",
  "strconv",
  "strings",
]
  .map((name) => `\t"${name}"`)
  .join("\n");

/**
 * The end of an exported Go program: it reads records and answers each by the function `call`,
 * from map[string]string to a value and an error.
 */
export const goMain = (
  call: string,
): string => `// main answers comma-separated records below a line of names: those of the files that are
// named, or of the standard input. It writes one line of JSON a record, and ends with 1 if
// there was one that it could not answer.
func main() {
	failed := false
	run := func(from io.Reader) {
		if err := answerAll(from, os.Stdout, &failed); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(2)
		}
	}
	for _, name := range os.Args[1:] {
		file, err := os.Open(name)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(2)
		}
		run(file)
		file.Close()
	}
	if len(os.Args) == 1 {
		run(os.Stdin)
	}
	if failed {
		os.Exit(1)
	}
}

func answerAll(from io.Reader, to io.Writer, failed *bool) error {
	text := bufio.NewReader(from)
	if mark, _ := text.Peek(3); string(mark) == "\\xef\\xbb\\xbf" {
		text.Discard(3) // the byte order mark of some programs
	}
	reader := csv.NewReader(text)
	names, err := reader.Read()
	if err != nil {
		return fmt.Errorf("the line of names cannot be read: %w", err)
	}
	lines := json.NewEncoder(to)
	for {
		cells, err := reader.Read()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		record := map[string]string{}
		for i, text := range cells {
			record[names[i]] = text
		}
		var answer any
		if answer, err = ${call}(record); err != nil {
			*failed, answer = true, map[string]string{"Error": err.Error()}
		}
		if err := lines.Encode(answer); err != nil {
			return err
		}
	}
}
`;
