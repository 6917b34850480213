package methods

import (
	"cloister/core/account/objective"
	"cloister/core/data"
	"cloister/core/learn"
	"cloister/core/learn/dpgd"
)

// Border is the product of a public number of records and ε below which a fit of such a
// label takes noisy steps, unless another method is named; see [Usual].
func Border(label data.LabelType) float64 {
	if label == data.TwoClasses {
		return 10_000
	}
	return 100_000
}

// Usual is the name of the method for a fit for which none is named. It is decided by
// public things alone:
//
//	two classes                  "steps" where N·ε < 10,000, N the records that were declared
//	several classes, a number    "steps" where N·ε < 100,000
//	all others                   [Default], objective perturbation
//
// The others are another loss than the label's usual one, a Tuning (which
// is of objective perturbation), and fits with no declared N: steps have to be told N.
//
// # Two classes, and numbers
//
// Measured by scripts/benchmark -methods amp,default: add/remove, δ = 1e-5, N told to one
// digit, 12 splits (3 of tables above 6,000 rows). The border was chosen on every other
// table of a kind of label, in alphabetical order from the first on, and confirmed on the
// rest. How much of the way from the majority (or R² = 0) to a linear model without privacy
// a fit goes, beside objective perturbation; the same of the AUC; the mean difference in
// points; and of the tables that steps fit, the one that loses most:
//
//	ε      share of the way   of the AUC's     difference     worst table
//
//	Adult, card default, early diabetes, mortgages, Titanic; body weight, weekly wage
//	0.1    53 % (amp 34)      82 % (amp 64)    +3.4 ± 1.3     mortgages +0.1 ± 0.2
//	0.25   72 (56)            90 (81)          +4.0 ± 0.8     Titanic −0.7 ± 0.4
//	0.5    79 (65)            94 (83)          +5.0 ± 0.7     mortgages −0.1 ± 0.2
//	1      87 (77)            96 (91)          +3.4 ± 0.6     Titanic −0.3 ± 0.3
//	2      97 (88)            97 (95)          +3.1 ± 0.5     Titanic +0.0 ± 0.2
//	4      100 (96)           99 (97)          +1.4 ± 0.3     Titanic −0.2 ± 0.2
//	8      100 (100)          99 (98)          +0.4 ± 0.2     early diabetes −0.5 ± 1.3
//
//	breast cancer, crash deaths, free light chain, résumés; diabetes progression
//	0.1    46 % (amp 16)      82 % (amp 59)    +7.2 ± 2.4     crash deaths −0.0 ± 0.0
//	0.25   68 (47)            90 (72)          +5.6 ± 1.4     résumés +0.1 ± 0.1
//	0.5    86 (66)            93 (83)          +5.7 ± 0.7     free light chain −0.4 ± 0.4
//	1      91 (70)            93 (87)          +5.6 ± 0.6     résumés +0.0 ± 0.0
//	2      93 (86)            95 (93)          +2.3 ± 0.4     résumés +0.0 ± 0.0
//	4      94 (91)            98 (97)          +0.9 ± 0.3     breast cancer +1.0 ± 0.7
//	8      95 (95)            100 (99)         +0.2 ± 0.1     breast cancer −0.4 ± 0.5
//
// All of it, and what follows, is of steps in which a number counted once. In today's it counts
// twice, by which they gain: learn.PublicCentring has how much.
// It confirms the border, not the steps: their constants were chosen on all these tables
// but Adult (dpgd.MeanDefaults).
//
// For accuracy alone the border hardly matters: chosen from 10,000 to 100,000 the mean gain
// over all ε differs by 0.04 points on the five tables of two classes in the first half, and
// by 0.01 on the four of the second. So it is the least of these, for a fit by objective
// perturbation tells more: package differences finds more in it, and it alone has privacy
// reports. That costs up to 0.8 points of card default and 1.2 of weekly wage, both at
// ε = 0.5. With no border, steps lose 1.2 points of Adult at ε = 8. A
// rule of ε alone gains less (0.73 points with steps up to ε = 1, where a border gains
// 0.93), for it leaves small tables to the other method; and steps need N all the same.
// Noisy moments (package suffstats) were ahead of steps in weekly wage from ε = 1 on, by 1
// point, and from 0.25 on behind by 10 and more in the two small tables. All this is of clipped
// rows of numbers too.
//
// # Numbers, of scaled rows
//
// Since rows are scaled for steps (see [Rows]) they gain more, and the border of numbers is that
// of several classes. 100·R² of weekly wages (22,500 records fitted to, 3 splits), of steps and of
// objective perturbation with the bounds of its rows clipped:
//
//	N·ε       2,250   5,600   11,000   22,000   45,000   90,000   180,000
//	steps     30.0    30.4    30.5     30.5     30.5     30.5     30.5
//	amp       26.4    28.0    29.4     29.8     30.1     30.3     30.1
//
// Of Adult's age (36,000 records, 3 splits) steps are ahead by 0.4 at ε = 0.1 and 0.25, and behind
// by 0.2 at 1 and 0.5 at 4. So the border rests on one table, and costs little in the other.
//
// # Several classes
//
// By one softmax either way. Share predicted right in %, 30 splits, of one model a class
// against the rest, of the softmax by objective perturbation, and of it by steps; without
// privacy (one against the rest, λ = 0.01) 67.0, 92.9, 96.3 and 96.7. Errors are 0.2 to 1 in
// the vote and digits, 0.5 to 4 in the flowers and wines.
//
//	ε      vote, 3 classes   flowers, 3       digits, 10       wines, 3
//	0.1     –    42.8 57.5    –    35.4 48.3   –    17.3 42.2   –    36.5 46.0
//	0.25   55.1  56.8 63.7   44.3  39.1 63.1  22.8  41.1 74.8  40.0  38.4 72.9
//	0.5     –    62.3 64.5    –    52.1 75.7   –    68.5 85.6   –    42.9 83.2
//	1      63.6  64.9 65.9   57.2  50.7 89.3  56.1  82.8 90.5  58.0  63.6 91.2
//	2       –    65.8 66.9    –    73.6 95.3   –    88.6 92.5   –    78.3 93.7
//	4      65.0  66.0 67.2   73.7  78.6 95.9  86.0  91.4 94.3  88.4  86.7 94.4
//	8       –    66.4 67.1    –    87.2 96.3   –    92.8 95.0   –    90.9 95.5
//
// The border was chosen on larger ones, Adult's marital status (6 classes; told
// 20,000 records), and confirmed on its occupation (12 classes), 2 splits of each:
//
//	N·ε               2,000      5,000      20,000     40,000     80,000     160,000
//	marital status    60.7 63.1  62.7 66.6  65.8 68.1  66.9 68.0  67.5 68.0  68.1 68.0
//	occupation        29.4 31.4  31.9 32.4  33.2 34.0  33.2 33.8  33.5 33.8  33.8 33.7
//
// So above it nothing is gained. It is higher than that of two classes: no privacy report
// is made of a softmax, so that little else speaks for the other method.
//
// # Neighbours that replace a record
//
// They take twice the noise, as half of ε would, so the border is on the safe side there.
func Usual(a learn.Asked) string {
	if a.Schema == nil || a.Loss == nil || !(a.Records > 0) || tuned(a.Tuning) ||
		learn.LossName(a.Loss) != learn.LossName(learn.DefaultLoss(&a.Schema.Label)) {
		return Default
	}
	if a.Records*a.Guarantee.Epsilon < Border(a.Schema.Label.Type) {
		return dpgd.MeanLearner.Name
	}
	return Default
}

// Rows is the schema by which the rows of such a fit are best made, by public things alone: the
// one that is asked for, or, for noisy steps towards a number, one that divides all rows by the
// same length (data.Scale) where rows were to be clipped. A row of many numbers is mostly longer
// than 1; clipped, it is divided by its own length, and the label is then no linear function of
// it. See dpgd.MeanDefaults for what that costs. Data has to be read by it before the fit. A
// schema that says "scale" is left as it is, also for methods that predict worse by it.
func Rows(name string, a learn.Asked) *data.Schema {
	name, _ = named(name, a)
	if name != dpgd.MeanLearner.Name || a.Schema.Label.Type != data.NumericLabel ||
		a.Schema.Rows.Norm != data.Clip {
		return a.Schema
	}
	scaled := *a.Schema
	scaled.Rows.Norm = data.Scale
	return &scaled
}

// tuned reports whether something of objective perturbation is overridden.
func tuned(t learn.Tuning) bool {
	if t.Bound == objective.BoundAuto {
		t.Bound = ""
	}
	return t != learn.Tuning{}
}
