# make demo and make test need Go and a C compiler, nothing else.

GO    ?= go
BIN   := bin
TOOL  := $(GO) tool -modfile=tools.mod
WORK  ?= wikinav-work
FUZZTIME ?= 10s

.PHONY: build demo test race lint repro golden fuzz hostile large wheel clients browser soak
.PHONY: bench bench-peers bench-python pictures clean help

build: ## the two programs, in bin/
	$(GO) build -mod=readonly -trimpath -o $(BIN)/wikinav ./cmd/wikinav
	CGO_ENABLED=0 $(GO) build -mod=readonly -trimpath -o $(BIN)/wikinav-eval ./cmd/wikinav-eval

demo: build ## the demo snapshot with every stage, and its summary
	$(BIN)/wikinav build --work $(WORK)

test: ## all tests; no network
	$(GO) test -mod=readonly -timeout 20m ./...

race: ## all tests with the race detector
	$(GO) test -mod=readonly -race -timeout 30m ./...

lint: ## formatting, vet, staticcheck, wikinav-eval for other systems, known vulnerabilities; versions of tools.mod
	@unformatted=$$($(TOOL) gofumpt -l .); test -z "$$unformatted" || { echo "run gofumpt -w on:"; echo "$$unformatted"; exit 1; }
	$(GO) vet -mod=readonly ./...
	for system in windows/amd64 darwin/arm64; do CGO_ENABLED=0 GOOS=$${system%/*} GOARCH=$${system#*/} \
		$(GO) build -mod=readonly -o /dev/null ./cmd/wikinav-eval || exit 1; done
	$(TOOL) staticcheck ./...
	.ci/vulnerabilities $(TOOL)

repro: build ## one build under eight environments: every byte must be the same
	.ci/repro $(BIN)/wikinav

golden: ## write the golden files of formats anew
	$(GO) test -mod=readonly ./pipeline ./schemas/jsonschema ./eval/mcp -run Golden -update

fuzz: ## every fuzz target for FUZZTIME; .ci/fuzz-keep then takes what was found interesting into testdata
	.ci/fuzz $(FUZZTIME)

HOSTILE ?= 2000
LARGE   ?= 400

hostile: ## HOSTILE changes to each kind of file of a re-sealed release; WIKINAV_HOSTILE_RELEASE names another than the test's
	WIKINAV_HOSTILE=$(HOSTILE) $(GO) test -mod=readonly ./cmd/wikinav-eval -run '^TestReleasesOfStrangersCannotHurt$$' -v -timeout 0

large: ## verify and play a release whose split has LARGE MB, in less than 512 MiB
	WIKINAV_LARGE_SPLIT=$(LARGE) $(GO) test -mod=readonly ./cmd/wikinav-eval -run '^TestALargeSplitIsReadAsAStream$$' -v -timeout 0

wheel: build ## the Python package in bin/, of the programs' version; python3, and the network for setuptools
	python3 -m venv $(BIN)/wheel-env
	$(BIN)/wheel-env/bin/pip install --quiet --disable-pip-version-check -r .ci/python/requirements-wheel.txt
	$(BIN)/wheel-env/bin/python eval/clients/python/wheel.py $(BIN)/wikinav-eval $(BIN)
	rm -rf $(BIN)/wheel-env

clients: build ## programs of others play, run a card's snippets, and open every published file; python3, the network
	.ci/clients $(BIN)/wikinav $(BIN)/wikinav-eval
	.ci/mcp-clients/run $(BIN)
	.ci/python/run $(BIN)
	.ci/openapi/run $(BIN)
	.ci/readers/run $(BIN)
	.ci/harbor/run $(BIN)
	.ci/browser/run $(BIN)
	.ci/items/run $(BIN)
	.ci/train/run $(BIN)
	.ci/humans/run $(BIN)

SHOTS ?=

browser: build ## the pages in headless Chromium, pictures in SHOTS; python3, the network, the package chromium
	.ci/browser/run $(BIN) $(SHOTS)

pictures: build ## the pictures of README and docs, from the demo
	.ci/pictures $(BIN)

SOAK ?= 30m

soak: ## the HTTP server under 1 to 1,000 games at a time, for SOAK
	$(GO) test -mod=readonly ./eval/serve -run '^TestSoak$$' -v -soak $(SOAK) -timeout 0

bench: ## the benchmarks of this module, then distances at size; about ten minutes
	$(GO) test -mod=readonly -run '^$$' -bench . -benchmem ./...
	.ci/bench-distances

bench-peers: ## SciPy, igraph, NetworKit and NetworkX on the graph of docs/performance.md; python3 and the network
	.ci/bench-peers

RELEASE ?= demo-release

bench-python: build ## the Python package, the HTTP API and a dictionary, on RELEASE; python3
	.ci/python/bench $(BIN)/wikinav-eval $(RELEASE)

clean: ## removes the two programs
	rm -rf $(BIN)

help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## /\1	/p' Makefile | expand -t 14
