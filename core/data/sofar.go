package data

// RowsSoFar is how many records the parser has read, without headers, including those
// that it left out. Use it to show the data holder how far the reading is.
func (p *Parser) RowsSoFar() int { return p.rows }

// RowsSoFar is how many records the suggester has read, headers not counted.
func (s *Suggester) RowsSoFar() int { return s.rows }

// RowsSoFar is how many records the counter has read, headers not counted.
func (c *CellCounter) RowsSoFar() int { return c.rows }
