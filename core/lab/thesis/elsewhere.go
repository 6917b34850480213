package thesis

// Elsewhere are the median errors, of 8 splits, that independent code measured for the same
// comparison, on data made in the same manner but not the same: other draws, and Adult's columns
// otherwise chosen. So what is above least squares is to be compared, and not the errors
// themselves. ε = 0.1, 0.3, 1, 3, 10.
var Elsewhere = map[string]struct {
	LeastSquares float64
	Errors       map[string][5]float64 // by the name of a System
}{
	"made up, 5,000 × 10": {
		LeastSquares: 0.0374,
		Errors: map[string][5]float64{
			"output perturbation":       {0.1582, 0.1074, 0.0643, 0.0574, 0.0453},
			"posterior sample, no test": {0.1581, 0.0872, 0.0582, 0.0483, 0.0411},
			"posterior sample, tested":  {0.1834, 0.1084, 0.0436, 0.0379, 0.0379},
			"AdaSSP as published":       {0.1894, 0.0870, 0.0423, 0.0388, 0.0379},
			"AdaSSP in one release":     {0.0917, 0.0446, 0.0385, 0.0382, 0.0380},
		},
	},
	"made up, 20,000 × 20, uneven": {
		LeastSquares: 0.0372,
		Errors: map[string][5]float64{
			"output perturbation":       {0.1154, 0.0809, 0.0605, 0.0527, 0.0429},
			"posterior sample, no test": {0.1079, 0.0734, 0.0514, 0.0437, 0.0397},
			"posterior sample, tested":  {0.1163, 0.0743, 0.0482, 0.0380, 0.0374},
			"AdaSSP as published":       {0.1291, 0.0796, 0.0408, 0.0376, 0.0374},
			"AdaSSP in one release":     {0.0727, 0.0447, 0.0378, 0.0374, 0.0374},
		},
	},
	"Adult, education": {
		LeastSquares: 0.0873,
		Errors: map[string][5]float64{
			"output perturbation":       {0.0974, 0.0932, 0.0936, 0.0909, 0.0891},
			"posterior sample, no test": {0.0960, 0.0904, 0.0890, 0.0889, 0.0876},
			"posterior sample, tested":  {0.0914, 0.0890, 0.0882, 0.0872, 0.0871},
			"AdaSSP as published":       {0.0893, 0.0879, 0.0872, 0.0872, 0.0871},
			"AdaSSP in one release":     {0.0881, 0.0871, 0.0871, 0.0871, 0.0871},
		},
	},
	"tumours, malignant": {
		LeastSquares: 0.1707,
		Errors: map[string][5]float64{
			"output perturbation":       {0.5443, 0.4628, 0.3383, 0.2683, 0.2024},
			"posterior sample, no test": {0.6435, 0.4528, 0.3440, 0.2407, 0.1891},
			"posterior sample, tested":  {0.8535, 0.7185, 0.3979, 0.2730, 0.1997},
			"AdaSSP as published":       {0.9014, 0.7353, 0.4979, 0.2877, 0.2012},
			"AdaSSP in one release":     {0.7037, 0.5143, 0.2890, 0.2139, 0.1763},
		},
	},
}
