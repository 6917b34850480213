# Cloister. `make serve` opens the page, `make test` checks everything; both install what they need.
# Each step prints one line, and is left out if nothing has changed that it depends on.

.DEFAULT_GOAL := build
.DELETE_ON_ERROR:
.PHONY: build wasm wire site serve test lint format bench accuracy benchmark reproduce audit fuzz golden beam clean

MODULES := site/node_modules/.package-lock.json
say = @echo "  $(1)"

build: build/site.done ## the WebAssembly binaries and the site, into site/dist
wasm: build/wasm.done ## the WebAssembly binaries alone, into build/wasm

# Folders count as files here: one is as new as the last file that came into it or left it.
GO_FILES := go.mod go.sum $(shell find core wasm -path wasm/wire -prune -o -mindepth 1 -type d -print \
	-o -name '*.go' ! -name '*_test.go' -print)
SITE_FILES := $(shell find site/src site/docs site/test -not -path '*/shots*') \
	site/build.mjs site/pages.mjs site/package.json site/tsconfig.json site/tsconfig.types.json \
	scripts/prerender.mjs scripts/serve.mjs scripts/kernel/carry.mjs

# Functions are not inlined, but for those of math, which the loops of fits and accounts call: so
# the binaries are a tenth smaller, and a fit takes as long as with all of them inlined. Without the
# newer collector of Go 1.26 they are smaller by another hundredth. site/docs/testing.md has figures.
GO_WASM := GOEXPERIMENT=nogreenteagc CGO_ENABLED=0 GOOS=js GOARCH=wasm \
	go build -trimpath -ldflags=-s -gcflags=all=-l -gcflags=math/...=
PROGRAMS := cloister laboratory curves reader fitdemo
# Those that fit carry the kernel.
FITTING := cloister laboratory

# The SIMD kernel, compiled by the clang among site/node_modules.
KERNEL_FILES := $(wildcard wasm/kernel/c/*) scripts/kernel/build.mjs scripts/kernel/guard.mjs \
	site/package-lock.json

build/kernel.wasm: $(KERNEL_FILES) | $(MODULES)
	$(call say,compile  the kernel)
	@mkdir -p build
	@node scripts/kernel/build.mjs $@

# Whatever is made is made under another name, and put in its place when it is whole: two makes at
# once do the same work twice, and harm nothing.
build/wasm.done: $(GO_FILES) core/privacy/version.go scripts/slim-wasm.mjs \
		build/kernel.wasm scripts/kernel/carry.mjs Makefile
	$(call say,compile  $(PROGRAMS))
	@mkdir -p build/wasm
	@made=$$(mktemp -d build/wasm/XXXXXX) && trap 'rm -rf $$made' EXIT && \
	$(GO_WASM) -o $$made/ $(PROGRAMS:%=./wasm/%) && \
	for program in $(PROGRAMS); do \
		node scripts/slim-wasm.mjs $$made/$$program $$made/$$program.wasm || exit 1; \
	done && \
	node scripts/kernel/carry.mjs build/kernel.wasm $(FITTING:%=$$made/%.wasm) && \
	mv $$made/*.wasm build/wasm/
	@touch $@

# The version stands in site/package.json; what is written is checked in.
core/privacy/version.go: site/package.json scripts/version.mjs
	@node scripts/version.mjs && touch $@

# The types of the page code stand in the core; what is written is checked in.
wire: ## what the declarations in wasm/wire and the methods of fitting come to in TypeScript
	$(call say,write    site/src/client/wire)
	@go run ./scripts/wire

build/site.done: build/wasm.done $(MODULES) $(SITE_FILES)
	$(call say,bundle   site/dist)
	@node site/build.mjs
	@touch $@

$(MODULES): site/package-lock.json
	$(call say,install  site/node_modules)
	@mkdir -p build; trap 'rmdir build/installing' EXIT; \
	trap 'exit 1' INT TERM; until mkdir build/installing 2>/dev/null; do \
		echo "  waiting  for another make (if there is none, remove build/installing)"; sleep 5; done; \
	test $@ -nt $< || npm ci --prefix site --no-fund --no-audit --loglevel=error
	@touch $@

site: build ## one folder and one zip, for any host of static files, into build/site; prints the hashes
	@node scripts/bundle/bundle.mjs

serve: build ## the page, on localhost (PORT=8000 to choose)
	@node scripts/serve.mjs

test: build ## everything: lint, tests in Go (natively, and a share under js/wasm), in Node and in Chromium, a short fuzz
	@node scripts/test.mjs

lint: build ## formats, vet, layers, types, sizes, names
	@node scripts/lint.mjs

format: $(MODULES) ## gofmt and prettier, in place
	@node scripts/check/format.mjs --write

bench: build ## figures, native and in Chromium
	@node scripts/bench.mjs

accuracy: ## what a private fit predicts, of made-up records (the documentation's table) and on public data sets where they are present
	@go run ./scripts/accuracy -expected
	@go run ./scripts/accuracy

benchmark: ## what every method predicts on the real tables that are present, into build/benchmark; goes on where it was interrupted (QUICK=1: minutes in place of hours)
	@go run ./scripts/benchmark $(if $(QUICK),-quick) $(BENCHMARK)

reproduce: ## the papers' comparisons, run again into build/reproduce; goes on where it was interrupted (QUICK=1: minutes in place of hours)
	@go run ./scripts/reproduce $(if $(QUICK),-quick) $(REPRODUCE)
	$(if $(REPRODUCE),,@go run ./scripts/thesis)
	$(if $(REPRODUCE),,@go run ./scripts/cards $(if $(QUICK),-quick))

audit: build ## the long audits of the privacy claim, of certified prices, and of the ledger against crashes (many minutes)
	@CLOISTER_AUDIT=long go test -count=1 -timeout 6h -run 'Audit|Attack|NoForged|NoRefusal|WhatIsRefused|NoNeighbour|Published|ProximalCentre|TestGaussianMechanism' -v ./core/learn/... ./core/solve ./core/search ./core/random ./core/vote ./core/distance ./core/pate ./core/lab/linear
	@CLOISTER_AUDIT=long go test -count=1 -timeout 1h -v ./core/report/...
	@CLOISTER_AUDIT=long go test -count=1 -timeout 1h ./core/account/pld
	@CLOISTER_AUDIT=long go test -count=1 -timeout 2h -run 'TwoPoint|Sabotaged|ExactProfiles|ExactLaws|TinyUniverse|AnsweredSoon|AllowanceOfASample' ./core/account/...
	@CLOISTER_AUDIT=long go test -count=1 -timeout 1h -run TableThree ./core/learn/dpgd
	@CLOISTER_AUDIT=long go test -count=1 -timeout 1h -run 'AChangedText|FoundOut' -v ./wasm/api
	@CLOISTER_AUDIT=long go test -count=1 -timeout 1h -run 'RowsThatStay|RowsOfAnotherText|ScatteredRows' ./wasm/api/fitting ./core/data
	@CLOISTER_AUDIT=long go test -count=1 -timeout 2h -run 'ShownSigns|FitInMemory' ./core/differences ./scripts/fit
	@CLOISTER_AUDIT=long go test -count=1 -timeout 1h -run 'NoInterleaving|MorePromises|ChangedText|ChangedTogether|EditedByHand' -v ./core/ledger
	@CLOISTER_AUDIT=long node --test --test-reporter=spec build/test/client/two-readers.test.mjs
	@CLOISTER_AUDIT=long node --test --test-reporter=spec site/test/browser/ledger.test.mjs
	@CLOISTER_AUDIT=long node --test --test-reporter=spec site/test/browser/studio-long.test.mjs
	@CLOISTER_AUDIT=long node --test --test-reporter=spec site/test/browser/attack-figures.test.mjs

FUZZTIME ?= 5m
fuzz: ## fuzz the parsers, FUZZTIME each
	@node scripts/fuzz.mjs $(FUZZTIME)

golden: ## the tests against ../shared/reference, verbosely
	@node scripts/golden.mjs

beam: ## the tests of scripts/beam, a module of its own: sums of a file by an Apache Beam pipeline (fetches it)
	@cd scripts/beam && go vet ./... && go test -count=1 ./...

clean:
	@rm -rf site/dist build
