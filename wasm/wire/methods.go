package wire

import (
	"reflect"
	"slices"
)

// Call is one method: its name in requests, and the types of what it is asked and answers.
type Call struct {
	Name           string
	Params, Result reflect.Type
}

func call[Params, Result any](name string) Call {
	return Call{name, reflect.TypeFor[Params](), reflect.TypeFor[Result]()}
}

// Methods of one service each, as package wasm/api has them.
var (
	Abouts = []Call{call[None, About]("about")}

	// Accounting prices events and chooses noise; it sees no data.
	Accounting = []Call{
		call[AccountDescription, AccountResult]("account"),
		call[EstimateDescription, EstimateResult]("estimate"),
		call[CheckDescription, CheckResult]("check"),
		call[SolveDescription, SolveResult]("solve"),
		call[AffordDescription, AffordResult]("afford"),
		call[ObjectiveRequest, Calibration]("calibrate"),
		call[WorstDescription, WorstResult]("worst"),
	}

	// Odometers is what the smallest binary has no room for.
	Odometers = []Call{call[OdometerDescription, OdometerResult]("odometer")}

	// Files reads files through a schema.
	Files = []Call{
		call[SchemaCheck, CheckedSchema[AnyLabel]]("schema.check"),
		call[OpenReading, Reading]("read.open"),
		call[ReadPart, None]("read.part"),
		call[ReadBytes, ReadSoFar]("read.append"),
		call[ReadEnd, ReadResult]("read.finish"),
		call[Reading, None]("read.cancel"),
		call[OfDataset, None]("dataset.free"),
	}

	// Purchases are what costs privacy. A ledger sells each under its name.
	Purchases = []Call{
		call[FitRequest, FitReply]("fit"),
		call[EvaluateCall, EvaluateReply]("evaluate"),
		call[BoundsCall, BoundsReply]("bounds"),
		call[CategoriesCall, CategoriesReply]("categories"),
		call[ReportCall, ReportReply]("report"),
		call[ScorecardCall, ScorecardReply]("scorecard"),
		call[NoisyCellsCall, NoisyCellsReply]("cells"),
		call[CardEvaluateCall, CardEvaluateReply]("scorecard.evaluate"),
	}

	// Fitting is all else about a release: before it, and after it.
	Fitting = []Call{
		call[PlanRequest, Calibration]("plan"),
		call[ExpectationRequest, Expectation]("expect"),
		call[AttackPlanRequest, AttackPlan]("attack.plan"),
		call[AttackRequest, AttackResult]("attack"),
		call[BoundsPlanRequest, BoundsPlan]("bounds.plan"),
		call[CategoriesPlanRequest, CategoriesPlan]("categories.plan"),
		call[ScorecardPlanRequest, ScorecardPlan]("scorecard.plan"),
		call[OfRelease, CheckedScorecard]("scorecard.check"),
		call[ScoreCall, Scores]("scorecard.score"),
		call[NoisyCellsPlanRequest, NoisyCellsPlan]("cells.plan"),
		call[OfRelease, CheckedNoisyCells]("cells.check"),
		call[CardOfCellsCall, CardOfCells]("cells.card"),
		call[VoteRequest, VoteResult]("vote"),
		call[PateRequest, PateResult]("pate"),
		call[PredictCall, Predictions]("predict"),
		call[OfRelease, Repriced]("reprice"),
		call[OfRelease, Differences]("differences"),
		call[RegressCall, DerivedReply]("regress"),
		call[CheckDerivedCall, DerivedReply]("regress.check"),
		call[ChoiceCall, ChoiceReply]("choice"),
		call[ReportPlanRequest, ReportReply]("report.free"),
		call[ReportPlanRequest, ReportPlan]("report.plan"),
		call[InspectCall, InspectedReport]("report.inspect"),
		call[LossesCall, TrueLosses]("losses"),
		call[ExactCall, ExactFigures[AnyLabel]]("exact"),
		call[ShardOpen, None]("shard.open"),
		call[ShardPose, None]("shard.pose"),
		call[ShardFill, None]("shard.fill"),
		call[ShardSums, ShardNumbers]("shard.sums"),
		call[ShardRead, None]("shard.read"),
		call[ShardFill, ReadSoFar]("shard.part"),
		call[None, ShardFound]("shard.end"),
		call[ReadJoin, ReadJoined]("read.join"),
		call[ShardKeep, None]("shard.keep"),
		call[ShardRows, None]("shard.rows"),
		call[ShardApply, None]("shard.apply"),
		call[ShardTally, ShardNumbers]("shard.tally"),
		call[ShardExact, ShardNumbers]("shard.exact"),
		call[ShardReport, ShardNumbers]("shard.report"),
		call[ShardLosses, ShardNumbers]("shard.losses"),
	}

	Ledger = []Call{
		call[None, LedgerAccounts]("ledger.list"),
		call[OfAccount, LedgerAccountTotal]("ledger.account"),
		call[OfDataset, LedgerFound]("ledger.find"),
		call[LedgerCreate, LedgerAccount]("ledger.create"),
		call[LedgerBudget, LedgerAccount]("ledger.budget"),
		call[LedgerSame, LedgerAccount]("ledger.same"),
		call[LedgerAfford, Affordance]("ledger.afford"),
		call[LedgerBuy, LedgerBought]("ledger.buy"),
		call[OfRelease, LedgerPaid]("ledger.paid"),
		call[OfCharge, LedgerKept]("ledger.kept"),
		call[None, LedgerFile]("ledger.export"),
		call[LedgerImport, ImportResult]("ledger.import"),
	}

	Experiments = []Call{
		call[None, LaboratoryContents]("lab.contents"),
		call[RunCall, ExperimentResult]("lab.run"),
	}

	Reports = []Call{
		call[OpenReport, OpenedReport]("open"),
		call[RowCall, PersonalBound]("row"),
		call[RowCall, Moves]("moves"),
		call[OfReader, None]("close"),
	}

	Plane = []Call{
		call[PlanePoints, PlaneAnswer]("points"),
		call[PlaneFitsRequest, PlaneFits]("fits"),
		call[ClinicPatients, ClinicAnswer]("patients"),
		call[ClinicCardsRequest, ClinicCards]("cards"),
	}
)

// Binary is one WebAssembly program and all that it answers.
type Binary struct {
	Name  string // of its folder in wasm
	File  string // in site/dist
	Calls []Call
}

// Binaries are all programs.
var Binaries = []Binary{
	{"curves", "curves.wasm", slices.Concat(Abouts, Accounting)},
	{"cloister", "cloister.wasm",
		slices.Concat(Abouts, Accounting, Odometers, Files, Purchases, Fitting, Ledger)},
	{"laboratory", "laboratory.wasm", slices.Concat(Abouts, Files, Experiments)},
	{"reader", "reader.wasm", slices.Concat(Abouts, Reports)},
	{"fitdemo", "fit-demo.wasm", slices.Concat(Abouts, Plane)},
}
