package methods

// Words describe a method on a page, for people who do not know its name. Programs do not need
// them, and no binary holds them.
type Words struct {
	Title string // in a list of all methods: "Noise in the problem"
	Place string // where the noise goes, within a sentence: "noise in the problem"
	About string // for a person who chooses one: a few plain sentences
	Run   string // what happens in a fit, for a person who is about to start one

	Slow bool // a fit takes many times as long as the others', and so do its trials
}

// words has the words of each method, by name; a test checks that none is missing.
var words = map[string]Words{
	"amp": {
		Title: "Noise in the problem",
		Place: "noise in the problem",
		About: "Objective perturbation, set by this project. It does not need the number of rows. It " +
			"is the usual choice where that is not said, and where rows are many and ε is large.",
		Run: "The page reads the rows, adds random noise to the problem itself, solves it, and adds a " +
			"little more noise to the solution.",
	},
	"amp-paper": {
		Title: "The same, as published in 2023",
		Place: "as published in 2023",
		About: "The settings and the proof of Redberg, Koskela & Wang. The same promise takes more noise.",
		Run: "The page reads the rows, adds random noise to the problem itself, solves it, and adds a " +
			"little more noise to the solution.",
	},
	"outpert": {
		Title: "Noise on the solution",
		Place: "noise on the solution",
		About: "Output perturbation: it solves first, and adds noise to the result. It needs many rows or " +
			"a large ε to do well. You have to say about how many rows there are.",
		Run: "The page reads the rows, solves the problem as it is, and adds random noise to the solution " +
			"before anything leaves it.",
	},
	"dpgd": {
		Title: "Noise in every step",
		Place: "noise in every step",
		About: "100 steps of gradient descent, each with noise. For two classes it is often close to " +
			"the usual choice. You have to say about how many rows there are.",
		Run: "The page reads the rows and improves the model in 100 steps. Each step sees the rows " +
			"only through random noise.",
	},
	"steps": {
		Title: "Noise in every step, and their mean",
		Place: "noise in every step, with the mean of the last",
		About: "120 steps of gradient descent, each with noise; the model is the mean of the last. It " +
			"is the usual choice unless rows are many and ε is large. You have to say about how " +
			"many rows there are; one digit is enough.",
		Run: "The page reads the rows and improves the model in 120 steps. Each step sees the rows " +
			"only through random noise. The last steps are averaged.",
	},
	"dpsgd": {
		Title: "Noise in every step, on samples",
		Place: "noise in every step, on samples",
		About: "DP-SGD: 1,000 steps, each on rows drawn at random, each with noise. A step tells nothing " +
			"about the rows that it did not draw, so it costs less. You have to say about how many rows " +
			"there are.",
		Run: "The page improves the model in 1,000 steps. Each step sees a random sample of the rows, and " +
			"only through random noise. With very many rows this takes minutes.",
		Slow: true,
	},
	"suffstats": {
		Title: "Noise on the sums",
		Place: "noise on the sums",
		About: "For numbers: linear regression on sums of products of the columns, with noise. The sums " +
			"are published too, and other models on the same columns cost nothing more.",
		Run: "The page reads the rows once, adds up products of the columns, adds random noise to the " +
			"sums, and computes the model from them.",
	},
	"ops-ptr": {
		Title: "A random draw, tested",
		Place: "a random draw of the model",
		About: "For numbers: one draw from the models that the rows make likely. Two noisy tests say " +
			"how well the rows pin the model down, and the draw is the sharper for it. It pays with " +
			"thousands of rows and few columns; noise on the sums is the better for one model too.",
		Run: "The page reads the rows, tests with noise how well they pin the model down, and draws " +
			"one model at random from those that they make likely.",
	},
	"ops": {
		Title: "A random draw",
		Place: "a random draw of the model, untested",
		About: "For numbers: one draw from the models that the rows make likely, with what holds for " +
			"any table of so many rows. It is for replaced people alone, and you have to say how many " +
			"rows there are at most.",
		Run: "The page reads the rows and draws one model at random from those that they make likely.",
	},
	"outptr": {
		Title: "Noise on the solution, tested",
		Place: "noise on the solution, after a test",
		About: "Output perturbation whose noise falls with how well the rows pin the model down, which " +
			"a noisy test says. It pays with many rows and few columns. Noise in the problem needs no test.",
		Run: "The page reads the rows, solves the problem as it is, tests with noise how well the rows " +
			"pin it down, and adds random noise to the solution.",
	},
}

// WordsOf returns the words of the method of that name, or the zero value if there is none.
func WordsOf(name string) Words { return words[name] }
