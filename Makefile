# SPDX-License-Identifier: GPL-3.0-or-later
# The engine alone, for people who only have a C compiler:
#
#   make, make build            ./samara for this machine
#   make run                    builds it and speaks UCI or XBoard: xboard -cp -fcp "make run"
#   make EXE=name CC=clang      another name, another compiler
#   make EVALFILE=x.nnue        with this network instead of the newest of nets/
#   make ARCH=x86-64-v3         for other machines (PEXT=1 if those are quick at it)
#   make install PREFIX=/usr    under DESTDIR, if that is set
#
# The server, the tests and everything else are built by CMake; these forward to it:
#   make release  debug  tsan  test  clean

EXE = samara
ARCH = native
CFLAGS = -O3
PREFIX = /usr/local
VERSION := $(shell sed -n 's|^project.Samara VERSION \([0-9.]*\) .*|\1|p' CMakeLists.txt)

SOURCES := $(filter-out src/match/%.c src/train/%.c src/apps/%.c src/wasm/%.c,$(wildcard src/*/*.c)) src/apps/samara.c
HEADERS := $(wildcard include/*.h src/*/*.h src/*/*.def)
EVALFILE = $(lastword $(sort $(wildcard nets/*.nnue)))
NET := $(EVALFILE)
ifneq ($(NET),$(wildcard $(NET)))
$(error EVALFILE: there is no file $(NET))
endif

# PEXT: where the processor has it and is not an AMD before Zen 3 (family 21 or 23).
macros = $(shell echo | $(CC) -march=$(ARCH) -dM -E - 2>/dev/null)
slow_pext = $(shell grep -qs AuthenticAMD /proc/cpuinfo && grep -Eqs '^cpu family.*: (21|23)$$' /proc/cpuinfo && echo 1)
ifeq ($(ARCH),native)
PEXT = $(and $(findstring __BMI2__,$(macros)),$(if $(slow_pext),,1))
endif

flags := -std=c17 -ffp-contract=off -D_GNU_SOURCE -D_FILE_OFFSET_BITS=64 -DNDEBUG -DSAMARA_VERSION='"$(VERSION)"' -Isrc -Iinclude
flags += $(if $(ARCH),-march=$(ARCH)) $(if $(PEXT),-DSAMARA_PEXT)
flags += $(if $(NET),-DSAMARA_NET_FILE='"$(abspath $(NET))"')
flags += -DSAMARA_BOOK_FILE='"$(abspath books/samara.bin)"'
flags += $(if $(findstring __clang__,$(macros)),,-flto=auto)
libraries := -pthread -lm

$(EXE): $(SOURCES) $(HEADERS) $(NET) books/samara.bin Makefile
	$(CC) $(flags) $(CFLAGS) $(CPPFLAGS) $(SOURCES) -o $@ $(LDFLAGS) $(libraries)

build: $(EXE)

# A client reads what this says: the compiler's words go elsewhere, and make's own are left out.
run:
	@$(MAKE) --no-print-directory build >&2
	@exec $(if $(findstring /,$(EXE)),,./)$(EXE)

install: $(EXE)
	install -D $(EXE) $(DESTDIR)$(PREFIX)/bin/samara
	$(if $(wildcard man/samara.6),install -Dm644 man/samara.6 $(DESTDIR)$(PREFIX)/share/man/man6/samara.6)

release debug tsan v2 v3 tune fuzz:
	cmake --preset $@
	cmake --build --preset $@ --parallel

test:
	script/test

clean:
	rm -f $(EXE)
	rm -rf build

.PHONY: build run install release debug tsan v2 v3 tune fuzz test clean
