# Builds the engine. The default is for the CPU it is built on; the other targets are for releases.
#
#   make                     ./rukh for this machine, with profile-guided optimisation where there is llvm-profdata: built, run
#                            on the bench, built again with the profile (rustup component add llvm-tools, or the package llvm
#                            of a distribution, or LLVM_PROFDATA=program)
#   make EXE=name            the same under another name, as testing frameworks ask for it
#   make EVALFILE=file.net   the same with another network built in
#   make TUNE=yes            the same with the tunables of the search as options; a branch that a testing framework is
#                            to tune commits TUNE ?= yes below
#   make plain               the same without a profile, in half the time
#   make releases            all x86-64 levels, in dist/
#   make arm64               Linux on ARM64, in dist/ (needs the Rust target and a linker for it)
#   make install             what `make` has built, with manual pages and completions, below PREFIX (/usr/local);
#                            DESTDIR=folder puts it all below that folder, as packagers want it
#   make uninstall           takes it away again

TUNE ?= no
CARGO ?= cargo
EXE ?= rukh
PREFIX ?= /usr/local
DESTDIR ?=
BINDIR ?= $(PREFIX)/bin
MANDIR ?= $(PREFIX)/share/man
BASHDIR ?= $(PREFIX)/share/bash-completion/completions
ZSHDIR ?= $(PREFIX)/share/zsh/site-functions
FISHDIR ?= $(PREFIX)/share/fish/vendor_completions.d
ARM64_TARGET ?= aarch64-unknown-linux-gnu
ARM64_LINKER ?= aarch64-linux-gnu-gcc
LLVM_PROFDATA ?= $(firstword $(wildcard $(shell rustc --print sysroot)/lib/rustlib/*/bin/llvm-profdata$(SUFFIX)) llvm-profdata)
PROFILES = $(abspath target/pgo/profiles)

ifeq ($(OS),Windows_NT)
  SUFFIX := .exe
endif
VERSION = $(shell sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)
LEVELS := x86-64-v2 x86-64-v3 x86-64-v4

ifeq ($(TUNE),yes)
  FEATURES := --features tune
else ifneq ($(TUNE),no)
  $(error TUNE is yes or no, not "$(TUNE)")
endif

PROGRAM = $(patsubst %.exe,%,$(EXE))$(SUFFIX)

.PHONY: all plain profile profiled releases $(LEVELS) arm64 install uninstall test clean

# Without llvm-profdata, or with one that cannot read the profile of this compiler, the plain program is built.
all:
	@if ! command -v "$(LLVM_PROFDATA)" > /dev/null; then \
	    echo "without a profile: there is no llvm-profdata (rustup component add llvm-tools)"; $(MAKE) plain; \
	elif $(MAKE) profile; then $(MAKE) profiled; \
	else echo "without a profile: $(LLVM_PROFDATA) made none"; $(MAKE) plain; fi

plain:
	RUSTFLAGS="-C target-cpu=native" $(CARGO) build --release --locked --target-dir target $(FEATURES)
	cp target/release/rukh$(SUFFIX) "$(PROGRAM)"

profile:
	rm -rf "$(PROFILES)"
	RUSTFLAGS="-C target-cpu=native -C profile-generate=$(PROFILES)" \
	    $(CARGO) build --release --locked --target-dir target/pgo/generate $(FEATURES)
	target/pgo/generate/release/rukh$(SUFFIX) bench
	"$(LLVM_PROFDATA)" merge -o "$(PROFILES)/merged.profdata" "$(PROFILES)"

profiled:
	RUSTFLAGS="-C target-cpu=native -C profile-use=$(PROFILES)/merged.profdata" \
	    $(CARGO) build --release --locked --target-dir target/pgo/use $(FEATURES)
	cp target/pgo/use/release/rukh$(SUFFIX) "$(PROGRAM)"

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

# Nothing is built here: who installs may be another user than who builds.
install:
	@test -x "$(PROGRAM)" || { echo "there is no $(PROGRAM) yet: run make first" >&2; exit 1; }
	install -d "$(DESTDIR)$(BINDIR)" "$(DESTDIR)$(MANDIR)/man1" "$(DESTDIR)$(BASHDIR)" "$(DESTDIR)$(ZSHDIR)" \
	    "$(DESTDIR)$(FISHDIR)"
	install -m 755 "$(PROGRAM)" "$(DESTDIR)$(BINDIR)/rukh$(SUFFIX)"
	"$(DESTDIR)$(BINDIR)/rukh$(SUFFIX)" man --out "$(DESTDIR)$(MANDIR)/man1"
	"$(DESTDIR)$(BINDIR)/rukh$(SUFFIX)" completions bash > "$(DESTDIR)$(BASHDIR)/rukh"
	"$(DESTDIR)$(BINDIR)/rukh$(SUFFIX)" completions zsh > "$(DESTDIR)$(ZSHDIR)/_rukh"
	"$(DESTDIR)$(BINDIR)/rukh$(SUFFIX)" completions fish > "$(DESTDIR)$(FISHDIR)/rukh.fish"

uninstall:
	rm -f "$(DESTDIR)$(BINDIR)/rukh$(SUFFIX)" "$(DESTDIR)$(MANDIR)/man1/rukh.1" "$(DESTDIR)$(MANDIR)/man1"/rukh-*.1 \
	    "$(DESTDIR)$(BASHDIR)/rukh" "$(DESTDIR)$(ZSHDIR)/_rukh" "$(DESTDIR)$(FISHDIR)/rukh.fish"

test:
	$(CARGO) test

clean:
	$(CARGO) clean
	rm -rf dist
