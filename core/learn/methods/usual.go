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
// Measured by scripts/benchmark -methods amp,steps at commit 5676aa34: add/remove, δ = 1e-5, N
// told to one digit, 12 splits (10 of tables above 6,000 rows). The border was chosen on every
// other table of a kind of label, in alphabetical order from the first on, and confirmed on the
// rest. How much of the way from the majority (or R² = 0) to a linear model without privacy
// the default goes, beside objective perturbation; the same of the AUC; the mean difference in
// points; and of the tables that steps fit, the one that loses most:
//
//	ε      share of the way   of the AUC's     difference     worst table
//
//	Adult, card default, early diabetes, mortgages, Titanic; body weight, weekly wage
//	0.1    63 % (amp 37)      84 % (amp 71)    +9.9 ± 1.7     Titanic −0.7 ± 0.4
//	0.25   79 (57)            91 (80)          +9.2 ± 1.4     Titanic −0.8 ± 0.2
//	0.5    81 (71)            94 (88)          +8.0 ± 1.1     Titanic −0.3 ± 0.2
//	1      91 (81)            95 (93)          +5.5 ± 0.4     Titanic −0.7 ± 0.2
//	2      99 (90)            98 (96)          +4.3 ± 0.4     Titanic +0.3 ± 0.3
//	4      102 (99)           99 (98)          +2.5 ± 0.2     mortgages +0.1 ± 0.1
//	8      100 (98)           99 (98)          +1.6 ± 0.3     Titanic +0.2 ± 0.1
//
//	breast cancer, crash deaths, free light chain, résumés; diabetes progression
//	0.1    48 % (amp 20)      85 % (amp 69)    +6.8 ± 2.4     résumés +0.0 ± 0.0
//	0.25   78 (50)            90 (78)          +7.1 ± 1.3     résumés +0.0 ± 0.0
//	0.5    88 (60)            92 (88)          +8.1 ± 1.0     résumés +0.0 ± 0.0
//	1      93 (78)            93 (91)          +4.2 ± 0.7     résumés −0.0 ± 0.0
//	2      94 (87)            97 (93)          +2.3 ± 0.5     résumés +0.0 ± 0.0
//	4      96 (93)            97 (97)          +0.9 ± 0.2     breast cancer +0.5 ± 0.7
//	8      98 (97)            99 (99)          +0.3 ± 0.1     breast cancer −0.4 ± 0.5
//
// It confirms the border, not the steps: their constants were chosen on all these tables
// but Adult (dpgd.MeanDefaults).
//
// For accuracy alone the border of two classes could be higher. The mean gain over all ε, in
// points, of the five tables in the first half and the four in the second:
//
//	border       1,000   5,000   10,000   20,000   40,000   50,000   100,000   none
//	half 1       0.73    0.84    0.88     0.92     0.95     0.97     0.97      0.94
//	half 2       0.78    0.87    0.88     0.89     0.90     0.90     0.90      0.90
//
// From 10,000 to 40,000 that is 0.070 ± 0.006 and 0.015 ± 0.005 more: up to 0.9 points of card
// default and 0.4 of Adult. It is left at 10,000, for a fit by objective perturbation tells more:
// package differences finds more in it, and it alone has privacy reports. With no border, steps
// lose 0.7 points of Adult at ε = 8. A rule of ε alone would leave small tables to the other
// method; and steps need N all the same.
// Noisy moments (package suffstats) are ahead of steps in weekly wages, by 0.2 points at ε = 1 and
// 0.8 at 4, and behind by 8 at 0.25. In the two small tables they are behind by 20 to 76 points at
// each of these (12 splits, 4 of wages).
//
// # Numbers, of scaled rows
//
// Rows are scaled for steps (see [Rows]), and the border of numbers is that of several classes.
// 100·R² of weekly wages (22,500 records fitted to, 10 splits), of steps and of objective
// perturbation with the bounds of its rows clipped:
//
//	N·ε       2,000   5,000   10,000   20,000   40,000   80,000   160,000
//	steps     29.7    29.9    29.8     29.8     29.8     29.8     29.8
//	amp       24.6    27.8    28.8     29.1     29.1     29.4     29.5
//
// Of Adult's age (36,000 records, 4 splits) steps are ahead by 0.7 at ε = 0.1 and 0.25, and behind
// by 0.2 at 1 and, beyond the border, by 0.4 at 4. So the border rests on one table, and costs
// little in the other.
//
// # Several classes
//
// By one softmax either way. Share right in %, of one model a class against the rest, of
// the softmax by objective perturbation, and of it by steps; without privacy (one against the rest,
// λ = 0.01) 66.5, 92.9, 96.5 and 97.0. Errors are 0.2 to 1 in the vote and digits, 0.4 to 2.7 in
// the flowers and wines. There are 60 splits of flowers, of the others 50 by steps and 30 by the
// rest.
//
//	ε      vote, 3 classes   flowers, 3       digits, 10       wines, 3
//	0.1     –    42.8 62.4   38.2  36.8 45.5   –    17.3 42.2   –    36.5 53.9
//	0.25   55.1  56.8 64.4   41.3  35.7 59.9  22.8  41.1 71.4  40.0  38.4 72.8
//	0.5     –    62.3 65.5   49.9  43.4 69.7   –    68.5 85.8   –    42.9 87.4
//	1      63.6  64.9 66.5   59.9  57.7 81.8  56.1  82.8 90.3  58.0  63.6 91.4
//	2       –    65.8 66.8   70.4  67.6 90.9   –    88.6 92.7   –    78.3 94.0
//	4      65.0  66.0 66.9   71.4  75.5 93.8  86.0  91.4 94.6  88.4  86.7 95.0
//	8       –    66.4 67.0   76.8  82.8 95.3   –    92.8 95.1   –    90.9 95.8
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
