package data

// Layout is how a file is laid out, as it was read: of several parts, the first. It is
// for the data holder, who may see that it is wrong and say what is right.
type Layout struct {
	Delimiter byte // between fields; a space stands for any run of spaces and tabs
	Quoted    bool // some field stands in quotes
	Columns   int
	Header    bool // the first line names the columns
}

func (s *scanner) layout() Layout {
	return Layout{
		Delimiter: s.delimiter,
		Quoted:    s.quotes,
		Columns:   len(s.names),
		Header:    s.header != HeaderNone,
	}
}
