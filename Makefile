# Builds the engine. The default is for the CPU it is built on; the other targets are for releases.
#
#   make                     ./rukh for this machine
#   make EXE=name            the same under another name, as testing frameworks ask for it
#   make EVALFILE=file.net   the same with another network built in
#   make releases            all x86-64 levels, in dist/
#   make arm64               Linux on ARM64, in dist/ (needs the Rust target and a linker for it)

CARGO ?= cargo
EXE ?= rukh
ARM64_TARGET ?= aarch64-unknown-linux-gnu
ARM64_LINKER ?= aarch64-linux-gnu-gcc

ifeq ($(OS),Windows_NT)
  SUFFIX := .exe
endif
VERSION = $(shell sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)
LEVELS := x86-64-v2 x86-64-v3 x86-64-v4

.PHONY: all releases $(LEVELS) arm64 test clean

all:
	RUSTFLAGS="-C target-cpu=native" $(CARGO) build --release --locked --target-dir target
	cp target/release/rukh$(SUFFIX) "$(patsubst %.exe,%,$(EXE))$(SUFFIX)"

releases: $(LEVELS)

$(LEVELS):
	RUSTFLAGS="-C target-cpu=$@" $(CARGO) build --release --locked --target-dir target/$@
	mkdir -p dist
	cp target/$@/release/rukh$(SUFFIX) dist/rukh-$(VERSION)-$@$(SUFFIX)

arm64:
	CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER=$(ARM64_LINKER) RUSTFLAGS="" \
	    $(CARGO) build --release --locked --target-dir target --target $(ARM64_TARGET)
	mkdir -p dist
	cp target/$(ARM64_TARGET)/release/rukh dist/rukh-$(VERSION)-arm64

test:
	$(CARGO) test --workspace

clean:
	$(CARGO) clean
	rm -rf dist
