package data

import (
	"bytes"
	"strconv"
)

type numberKind uint8

const (
	isNumber    numberKind = iota
	isText                 // anything else
	isNotFinite            // nan, inf, infinity, with or without sign, in any case
	isTooLarge             // a decimal that no finite double is near
)

// parseNumber reads a decimal number: sign, digits with at most one point
// among, before or after them, exponent. Hexadecimal, underscores, separators
// of thousands and decimal commas make a text. The result is the double nearest
// to the decimal, as strconv.ParseFloat has it.
//
// Decimals whose digits make a whole number m ≤ 2^53 with a power of ten
// within 10^±22 do not go through ParseFloat: m and 10^|e| are then exact
// doubles, so that one multiplication or division rounds once, correctly
// (Clinger 1990).
func parseNumber(text []byte) (float64, numberKind) {
	i, negative := 0, false
	if i < len(text) && (text[i] == '-' || text[i] == '+') {
		negative = text[i] == '-'
		i++
	}
	var mantissa uint64
	digits, exponent, exact := 0, 0, true
	for ; i < len(text); i++ {
		c := text[i] - '0'
		if c > 9 {
			break
		}
		digits++
		if mantissa > 1<<53/10 {
			exact = false
		} else {
			mantissa = mantissa*10 + uint64(c)
		}
	}
	if i < len(text) && text[i] == '.' {
		for i++; i < len(text); i++ {
			c := text[i] - '0'
			if c > 9 {
				break
			}
			digits++
			exponent--
			if mantissa > 1<<53/10 {
				exact = false
			} else {
				mantissa = mantissa*10 + uint64(c)
			}
		}
	}
	if digits == 0 {
		return 0, wordKind(text)
	}
	if i < len(text) && (text[i] == 'e' || text[i] == 'E') {
		i++
		sign := 1
		if i < len(text) && (text[i] == '-' || text[i] == '+') {
			if text[i] == '-' {
				sign = -1
			}
			i++
		}
		first, e := i, 0
		for ; i < len(text) && text[i]-'0' <= 9; i++ {
			e = min(e*10+int(text[i]-'0'), 1e6)
		}
		if i == first {
			return 0, isText
		}
		exponent += sign * e
	}
	if i != len(text) {
		return 0, isText
	}
	if exact && mantissa <= 1<<53 && exponent >= -22 && exponent <= 22 {
		x := float64(mantissa)
		if exponent < 0 {
			x /= powersOfTen[-exponent]
		} else if exponent > 0 {
			x *= powersOfTen[exponent]
		}
		if negative {
			x = -x
		}
		return x, isNumber
	}
	x, err := strconv.ParseFloat(string(text), 64)
	if err != nil {
		return 0, isTooLarge // the syntax is right, so the range is not
	}
	return x, isNumber
}

var powersOfTen = [...]float64{
	1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11,
	1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
}

func wordKind(text []byte) numberKind {
	first := byte(0)
	for _, c := range text[:min(len(text), 2)] {
		if first = c | ' '; c != '-' && c != '+' {
			break
		}
	}
	if first != 'n' && first != 'i' || len(text) < 3 { // most texts, and "no"
		return isText
	}
	word := bytes.ToLower(bytes.TrimLeft(text, "+-"))
	if len(text)-len(word) <= 1 {
		switch string(word) {
		case "nan", "inf", "infinity":
			return isNotFinite
		}
	}
	return isText
}
