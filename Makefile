# Cloister. `make serve` opens the page, `make test` checks everything; both install what they need under site/.

MODULES := site/node_modules/.package-lock.json
DIST := site/dist

.DEFAULT_GOAL := build
.PHONY: build wasm serve test lint bench accuracy reproduce audit fuzz golden clean

build: wasm $(MODULES) ## the WebAssembly binaries and the site, into site/dist
	node site/build.mjs

# Left out of the runtime: parts that pay off in large programs only.
SMALL_RUNTIME := GOEXPERIMENT=nogreenteagc,nosizespecializedmalloc,nogoroutineleakprofile,norandomizedheapbase64

# Inlining is off but where rows are crunched (the accounting and the reading of files are as fast without), data segments are joined, and what only stack traces,
# profiles and traces need is taken out (CLOISTER_TRACES=1 keeps it): a third less to download, and as fast. Names of functions (no -s) say what that is; they do
# not stay.
GO_WASM := $(SMALL_RUNTIME) CGO_ENABLED=0 GOOS=js GOARCH=wasm go build -trimpath -ldflags=-w -gcflags=all=-l -gcflags=math/...= -gcflags=math/big=-l \
	-gcflags=cloister/core/...= -gcflags=cloister/core/account/...=-l -gcflags=cloister/core/privacy/...=-l -gcflags=cloister/core/ledger=-l \
	-gcflags=cloister/core/data=-l -gcflags=cloister/core/learn=-l -gcflags=cloister/core/report/...=-l \
	$(foreach learner,learn/amp learn/bounds learn/categories learn/evaluate learn/outpert learn/ovr learn/dpgd lab/expect random,-gcflags=cloister/core/$(learner)=-l)

# curves and reader are those that pages embed: no inlining but in math.
GO_CURVES := $(SMALL_RUNTIME) CGO_ENABLED=0 GOOS=js GOARCH=wasm go build -trimpath -buildvcs=false -ldflags='-w -buildid=' -gcflags=all=-l -gcflags=math=

# cloister and fit-demo with the small fmt in the place of the standard library's: 28 kB less.
SMALL_FMT := build/smallfmt.json

wasm:
	mkdir -p $(DIST)
	node scripts/version.mjs
	node scripts/smallfmt.mjs $(SMALL_FMT)
	$(GO_WASM) -overlay $(SMALL_FMT) -o $(DIST)/cloister.wasm ./wasm/cloister
	$(GO_WASM) -o $(DIST)/laboratory.wasm ./wasm/laboratory
	$(GO_CURVES) -o $(DIST)/curves.wasm ./wasm/curves
	$(GO_CURVES) -o $(DIST)/reader.wasm ./wasm/reader
	$(GO_WASM) -overlay $(SMALL_FMT) -o $(DIST)/fit-demo.wasm ./wasm/fitdemo
	node scripts/pack-wasm.mjs $(DIST)/cloister.wasm $(DIST)/laboratory.wasm $(DIST)/curves.wasm $(DIST)/reader.wasm $(DIST)/fit-demo.wasm

$(MODULES): site/package-lock.json
	npm ci --prefix site --no-fund --no-audit --loglevel=error
	touch $@

serve: build ## the page, on localhost (PORT=8000 to choose)
	node scripts/serve.mjs

test: build ## everything: lint, tests in Go (natively and under js/wasm), in Node and in Chromium, a short fuzz
	node scripts/test.mjs

lint: build ## formats, vet, layers, types, sizes, names
	node scripts/lint.mjs

bench: build ## figures, native and in Chromium
	node scripts/bench.mjs

accuracy: ## what a private fit predicts, of made-up records (the documentation's table) and on public data sets where they are present
	go run ./scripts/accuracy -expected
	go run ./scripts/accuracy

reproduce: ## the papers' comparisons, run again into build/reproduce; goes on where it was interrupted (QUICK=1: minutes in place of hours)
	go run ./scripts/reproduce $(if $(QUICK),-quick) $(REPRODUCE)

audit: build ## the long audits of the privacy claim, of certified prices, and of the ledger against crashes (many minutes)
	CLOISTER_AUDIT=long go test -count=1 -timeout 6h -run Audit -v ./core/learn/... ./core/solve
	CLOISTER_AUDIT=long go test -count=1 -timeout 1h -v ./core/report/...
	CLOISTER_AUDIT=long go test -count=1 -timeout 1h ./core/account/pld
	CLOISTER_AUDIT=long go test -count=1 -timeout 1h -run TableThree ./core/learn/dpgd
	CLOISTER_AUDIT=long go test -count=1 -run NoInterleaving -v ./core/ledger
	CLOISTER_AUDIT=long node --test --test-reporter=spec site/test/browser/ledger.test.mjs
	CLOISTER_AUDIT=long node --test --test-reporter=spec site/test/browser/studio-long.test.mjs

FUZZTIME ?= 5m
fuzz: ## fuzz the parsers, FUZZTIME each
	node scripts/fuzz.mjs $(FUZZTIME)

golden: ## the tests against ../shared/reference, verbosely
	node scripts/golden.mjs

clean:
	rm -rf $(DIST) build
