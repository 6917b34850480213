package lab

import "strconv"

func decimal(n int) string    { return strconv.Itoa(n) }
func quote(s string) string   { return strconv.Quote(s) }
func number(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }
