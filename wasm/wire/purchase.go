package wire

// What is asked of [Client.planBounds]; all of it is public.
type BoundsRequest struct {
	Adjacency Adjacency `json:"adjacency"`
	// Of all columns together, at most; its δ is 0.
	Epsilon float64 `json:"epsilon"`
	// Share of the records that may be set aside at the two ends together, as outliers. Default 0.
	Share float64 `json:"share,omitempty"`
}

// What buying bounds would be charged for, and what it would be good for.
type BoundsPlan struct {
	Event CompositionEvent `json:"event"`
	// What it costs: at most the ε asked for, and less where the next smaller noise would cost more
	// than that.
	Epsilon float64 `json:"epsilon"`
	// T: a range of values (a bin) counts if it seems to hold at least T records. One that holds 2T
	// − 1 or more is not overlooked, and one that holds none is not taken for data, but for a
	// probability of `failure` in all.
	Threshold float64 `json:"threshold"`
	Failure   float64 `json:"failure"`
}

// Bounds as they may be published: `core/learn/bounds` says how they are made.
type BoundsRelease struct {
	Format    string    `json:"format" is:"cloister-bounds"`
	Version   float64   `json:"version" is:"1"`
	Library   string    `json:"library"`
	Adjacency Adjacency `json:"adjacency"`
	// Of all columns together; δ is 0.
	Epsilon float64          `json:"epsilon"`
	Share   float64          `json:"share"`
	Event   CompositionEvent `json:"event"`
	// In the order asked for; without bounds where none were found.
	Columns []struct {
		Name string  `json:"name"`
		Min  float64 `json:"min,omitempty"`
		Max  float64 `json:"max,omitempty"`
	} `json:"columns"`
}

// What is asked of [Client.planCategories]; all of it is public.
type CategoriesRequest struct {
	Adjacency Adjacency `json:"adjacency"`
	// Of all columns together; they share it evenly.
	Epsilon float64 `json:"epsilon"`
	// Likewise. A category that one record alone has is kept with this probability, divided by the
	// number of columns. A ledger sets 1/64 of a budget's δ aside for such purchases.
	Delta float64 `json:"delta"`
}

// What buying categories would be charged for, and how many records each needs.
type CategoriesPlan struct {
	Event   CompositionEvent `json:"event"`
	Epsilon float64          `json:"epsilon"`
	Delta   float64          `json:"delta"`
	// A category with this many records is kept at least as often as not.
	Even float64 `json:"even"`
	// One with this many is always kept.
	Sure float64 `json:"sure"`
}

// Categories as they may be published: `core/learn/categories` says how they are chosen.
type CategoriesRelease struct {
	Format    string    `json:"format" is:"cloister-categories"`
	Version   float64   `json:"version" is:"1"`
	Library   string    `json:"library"`
	Adjacency Adjacency `json:"adjacency"`
	// Of all columns together.
	Epsilon float64          `json:"epsilon"`
	Delta   float64          `json:"delta"`
	Event   CompositionEvent `json:"event"`
	// In the order asked for; the categories in that of their bytes, and none that no record has.
	Columns []struct {
		Name       string   `json:"name"`
		Categories []string `json:"categories"`
	} `json:"columns"`
}
