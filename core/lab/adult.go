package lab

import "cloister/core/data"

// adultSchema is how the papers prepare Adult: records with a missing value
// left out, the eight categorical features one-hot, the six numeric ones
// divided by public bounds.
func adultSchema() *data.Schema {
	return &data.Schema{
		Features: []data.Feature{
			numeric("age", 90),
			categorical(
				"workclass", "Private", "Self-emp-not-inc", "Self-emp-inc", "Federal-gov",
				"Local-gov", "State-gov", "Without-pay",
			),
			numeric("fnlwgt", 1500000),
			categorical(
				"education", "Bachelors", "Some-college", "11th", "HS-grad", "Prof-school",
				"Assoc-acdm", "Assoc-voc", "9th", "7th-8th", "12th", "Masters", "1st-4th", "10th",
				"Doctorate", "5th-6th", "Preschool",
			),
			numeric("education-num", 16),
			categorical(
				"marital-status", "Married-civ-spouse", "Divorced", "Never-married", "Separated",
				"Widowed", "Married-spouse-absent", "Married-AF-spouse",
			),
			categorical(
				"occupation", "Tech-support", "Craft-repair", "Other-service", "Sales",
				"Exec-managerial", "Prof-specialty", "Handlers-cleaners", "Machine-op-inspct",
				"Adm-clerical", "Farming-fishing", "Transport-moving", "Priv-house-serv",
				"Protective-serv", "Armed-Forces",
			),
			categorical("relationship",
				"Wife", "Own-child", "Husband", "Not-in-family", "Other-relative", "Unmarried",
			),
			categorical("race",
				"White", "Asian-Pac-Islander", "Amer-Indian-Eskimo", "Other", "Black",
			),
			categorical("sex",
				"Female", "Male",
			),
			numeric("capital-gain", 99999),
			numeric("capital-loss", 4356),
			numeric("hours-per-week", 99),
			categorical(
				"native-country", "United-States", "Cambodia", "England", "Puerto-Rico", "Canada",
				"Germany", "Outlying-US(Guam-USVI-etc)", "India", "Japan", "Greece", "South",
				"China", "Cuba", "Iran", "Honduras", "Philippines", "Italy", "Poland", "Jamaica",
				"Vietnam", "Mexico", "Portugal", "Ireland", "France", "Dominican-Republic", "Laos",
				"Ecuador", "Taiwan", "Haiti", "Columbia", "Hungary", "Guatemala", "Nicaragua",
				"Scotland", "Thailand", "Yugoslavia", "El-Salvador", "Trinadad&Tobago", "Peru",
				"Hong", "Holand-Netherlands",
			),
		},
		Label: data.Label{
			Name:       "Y",
			Negative:   []string{"<=50K", "<=50K."},
			Positive:   []string{">50K", ">50K."},
			Provenance: data.Public,
		},
	}
}

func numeric(name string, bound float64) data.Feature {
	return data.Feature{Name: name, Type: data.Numeric, Min: 0, Max: bound, Provenance: data.Public}
}

// categorical leaves out records where the feature is missing or, which does
// not happen in these sets, none of the categories.
func categorical(name string, categories ...string) data.Feature {
	drop := data.Rule{Action: data.Drop}
	return data.Feature{
		Name:       name,
		Type:       data.Categorical,
		Categories: categories,
		Missing:    drop,
		Unknown:    drop,
		Provenance: data.Public,
	}
}
