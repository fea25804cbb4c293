# Build rules of Novem. `make` builds the library and novem for this machine, `make demo` renders the examples,
# `make dlls` builds the Windows dlls, `make test` runs the tests. Variables: CC, BUILD (output folder), CFLAGS, LDFLAGS
# (for native programs and libnovem.so), SAN (a -fsanitize list), FAULTS (1 or 0: with or without injected faults, in a
# BUILD of its own; by default Windows builds have none), WERROR (-Werror: warnings are errors).

BUILD  ?= build
# clang's code is up to a tenth faster than gcc's; gcc is the fallback.
CLANG  := $(if $(shell command -v clang-19),clang-19)
CC     := $(if $(filter default,$(origin CC)),$(or $(CLANG),gcc),$(CC))
CFLAGS ?= -O2 -g
# Warnings are errors where the project tests itself: another compiler's new warning must not stop a user's build.
WERROR ?= $(if $(filter test check asan tsan fuzz test-linux32,$(MAKECMDGOALS)),-Werror)
export WERROR
WARN   := -Wall -Wextra -Wmissing-prototypes -Wpointer-arith $(WERROR)
# Bit-exactness (docs/reference.md, "numbers"): the compiler must not fuse multiplies and adds.
# -fno-math-errno turns sqrtf into one instruction; it changes no result.
EXACT  := -ffp-contract=off -fno-math-errno
STD    := -std=gnu11 -D_GNU_SOURCE
# C++ is used for a package without a C interface, and only in `novem`.
CXXSTD := -std=c++17
CXXSTD += -Wno-deprecated-declarations # the C++ library uses functions that it deprecates
# The vptr check needs the C++ runtime of the sanitizers; our programs are linked as C.
CXXSAN := $(if $(SAN),-fno-sanitize=vptr)
# COM calls a derived object's methods through the base's method table, whose type of `this` differs.
NO_FUNCTION_CHECK := $(if $(findstring clang,$(CC)),-fno-sanitize=function)
SANFLAGS := $(if $(SAN),-fsanitize=$(SAN) $(NO_FUNCTION_CHECK) -fno-sanitize-recover=all -fno-omit-frame-pointer)

# Folders, lowest first. A folder may use those before it; its tests link it and all before it.
FOLDERS := util tess ir tex vm ff raster draw cmd present record control api trace tool
DLL_FOLDERS := util tess ir tex vm ff raster draw cmd present record control api

D3D9_HEADERS := /usr/share/mingw-w64/include
# Header-only packages of the host that the Windows builds use too.
SYSINC  := $(BUILD)/sysinclude
SHARED_HEADERS := simde xxhash.h stb toml++

.DEFAULT_GOAL := default
include scripts/platforms.mk

# One line instead of a compiler's error. Commands that install packages check nothing.
ifneq ($(filter default native pe tests examples unit all install $(BUILD)/%,$(or $(MAKECMDGOALS),default)),)
MISSING := $(shell scripts/missing.sh "$(CC)" "$(CXX_native)" "$(D3D9_HEADERS)")
$(if $(MISSING),$(error missing: $(MISSING). Install it with: scripts/setup.sh --build))
endif

default: native
	@echo "built: $(BUILD)/novem, $(BUILD)/libnovem.so, $(BUILD)/libnovem.a"
	@echo "next:  make demo (renders the examples), make dlls (Windows), make test, make help; $(BUILD)/novem help"
# The version of the project stands in one file.
VERSION := $(shell cat VERSION)
# The number of libnovem's ABI. It rises when programs that were linked before no longer work.
LIB_SONAME := libnovem.so.1
VERSION_OBJ := $(foreach p,$(PLATFORMS),$(DIR_$(p))/obj/util/version.o)
$(VERSION_OBJ): DEFINES := -DNOVEM_VERSION='"$(VERSION)"'
$(VERSION_OBJ): VERSION

all: native pe tests examples ## everything: libraries, tests, examples, for this machine and Windows

# These objects embed parts of pages, and shaders.
$(BUILD)/obj/tool/golden/report_page.o: $(wildcard src/tool/golden/page/*)
$(BUILD)/obj/tool/page/page.o: $(wildcard src/tool/page/shared/*)
$(BUILD)/obj/tool/page/frame_page.o: $(wildcard src/tool/page/frame/*)
$(BUILD)/obj/tool/bench/corpus.o: $(wildcard bench/shaders/*.asm)
$(foreach p,$(PLATFORMS),$(DIR_$(p))/obj/control/page.o): $(wildcard src/control/page/*)

libs = $(foreach f,$(2),$(DIR_$(1))/lib/lib$(f).a)
# below: folder $(1) and all lower ones, highest first, as the linker requires.
reverse = $(if $(1),$(call reverse,$(wordlist 2,$(words $(1)),$(1))) $(firstword $(1)))
upto = $(if $(filter $(1),$(firstword $(2))),$(1),$(firstword $(2)) $(call upto,$(1),$(wordlist 2,$(words $(2)),$(2))))
below = $(call reverse,$(call upto,$(1),$(FOLDERS)))

# --- Products ------------------------------------------------------------------------------------
TOOL_LIBS := $(shell pkg-config --libs libbrotlidec libzstd zlib 2>/dev/null) -lsnappy -ldeflate -lcjson -lstdc++ -lm

native: $(BUILD)/novem $(BUILD)/libnovem.so $(BUILD)/libnovem.a ## novem, libnovem.so and libnovem.a
pe: $(BUILD)/win64/d3d9.dll $(BUILD)/win32/d3d9.dll ## d3d9.dll for 64-bit and 32-bit Windows programs

$(BUILD)/libnovem.a: $(foreach f,$(DLL_FOLDERS),$(OBJ_native_$(f)))
	@rm -f $@
	$(Q)$(AR_native) rcs $@ $^
# Programs that were linked with -L$(BUILD) load the name of the ABI.
$(BUILD)/libnovem.so: src/api/libnovem.map $(foreach f,$(DLL_FOLDERS),$(OBJ_native_$(f)))
	$(Q)$(CC) -shared -pthread $(SANFLAGS) $(LDFLAGS) -Wl,-soname,$(LIB_SONAME) -Wl,--version-script=$< -o $@ $(filter %.o,$^) -lm
	@ln -sfn libnovem.so $(BUILD)/$(LIB_SONAME)
$(BUILD)/novem: $(call libs,native,$(call reverse,$(FOLDERS)))
	$(Q)$(CC) -pthread $(SANFLAGS) $(LDFLAGS) -o $@ -Wl,--start-group $^ -Wl,--end-group $(TOOL_LIBS)

# By default ld makes the base address of the path of the output: the same sources would give other bytes elsewhere.
define dll_rule
$$(DIR_$(1))/d3d9.dll: PLAT := $(1)
$$(DIR_$(1))/d3d9.dll: src/api/exports.def $$(DIR_$(1))/obj/dll_version.o $(foreach f,$(DLL_FOLDERS),$(OBJ_$(1)_$(f)))
	$$(Q)$$(LD_$(1)) -shared -static -static-libgcc -Wl,--enable-stdcall-fixup,--disable-auto-image-base -o $$@ \
	    $$^ -lgdi32 -luser32
endef
$(foreach p,win64 win32,$(eval $(call dll_rule,$(p))))

# --- Tests ---------------------------------------------------------------------------------------
EXHAUSTIVE := $(BUILD)/tests/exhaustive/functions
# tests/<kind>/<folder>/test_x.c and tests/<kind>/<folder>/<module>/test_x.c are one program each, with the Check
# framework, linked with <folder> and all lower ones. They find headers in tests/ and tests/<kind>/<folder>/.
UNIT_SRC := $(wildcard $(foreach kind,unit kernel fuzz,$(addsuffix /test_*.c,$(addprefix tests/$(kind)/,* */* */*/*))))
UNIT_BIN := $(UNIT_SRC:%.c=$(BUILD)/%)
define unit_rule
$(BUILD)/$(1): $(1).c tests/check_main.h $(call libs,native,$(call below,$(2)))
	@mkdir -p $$(@D)
	$$(Q)$$(COMPILE_native) -Itests -I$(call home_of,$(1)) $$< -o $$@ -Wl,--start-group $$(filter %.a,$$^) -Wl,--end-group \
	    $$(shell pkg-config --cflags --libs check) $(TOOL_LIBS) -MF $$@.d
endef
folder_of = $(word 3,$(subst /, ,$(1)))
home_of = tests/$(word 2,$(subst /, ,$(1)))/$(folder_of)
$(foreach s,$(UNIT_SRC),$(eval $(call unit_rule,$(s:.c=),$(call folder_of,$(s)))))

# A library that stands in for vkd3d-shader.
FAKE_VKD3D := $(BUILD)/tests/unit/tool/hlsl/fake_vkd3d.so
$(FAKE_VKD3D): tests/unit/tool/hlsl/fake_vkd3d.c src/tool/hlsl/vkd3d.h
	@mkdir -p $(@D)
	$(Q)$(CC) $(STD) $(CFLAGS) $(WARN) -fPIC -shared -Isrc -o $@ $<
$(BUILD)/tests/unit/tool/hlsl/test_vkd3d $(BUILD)/tests/unit/tool/shader/test_load \
    $(BUILD)/tests/unit/tool/edit/test_source: | $(FAKE_VKD3D)

# Kernel tests for other platforms, with tests/portable/check.h as a minimal Check. They print hashes
# ("bits ...") that must equal those of this machine.
PORTABLE_TESTS := $(wildcard tests/kernel/*/test_*.c tests/kernel/*/*/test_*.c) tests/fuzz/vm/test_run.c \
    tests/unit/ir/compile/test_compile.c
EXE_win64 := .exe
# src/vm calls no function of src/tex, most of which is kernels that take long to compile.
portable_below = $(filter-out $(if $(filter vm,$(1)),tex),$(call below,$(1)))
define portable_rule
$(DIR_$(1))/$(2)$(EXE_$(1)): PLAT := $(1)
$(DIR_$(1))/$(2)$(EXE_$(1)): $(2).c $(wildcard tests/portable/*.h tests/*.h) $(call libs,$(1),$(call portable_below,$(3)))
	@mkdir -p $$(@D)
	$$(Q)$$(PROGRAM_$(1)) -Itests/portable -Itests -I$(call home_of,$(2)) $$(STATIC_$(1)) $$< -o $$@ -Wl,--start-group $$(filter %.a,$$^) -Wl,--end-group -lm -MF $$@.d
PORTABLE_BIN_$(1) += $(DIR_$(1))/$(2)$(EXE_$(1))
endef
$(foreach p,arm64 win64 linux32,$(foreach s,$(PORTABLE_TESTS),$(eval $(call portable_rule,$(p),$(s:.c=),$(call folder_of,$(s))))))
portable: $(PORTABLE_BIN_arm64) $(PORTABLE_BIN_win64) $(DIR_arm64)/conformance/runner

# Machine code for x86-32 without Windows. `make test` builds the tests of the IR and of shaders, where clang and a 32-bit
# C library are, and the kernel runs 32-bit programs (some virtual machines do not); scripts/test.sh has the same list.
RUNS_linux32 := $(shell /lib/ld-linux.so.2 --version >/dev/null 2>&1 && echo yes)
HAS_linux32 := $(and $(CLANG),$(wildcard /usr/lib32/libc.so),$(RUNS_linux32))
PORTABLE_SHORT_linux32 := $(foreach t,unit/ir kernel/ir kernel/vm fuzz/vm,$(filter $(DIR_linux32)/tests/$(t)/%,$(PORTABLE_BIN_linux32)))
portable-linux32: $(if $(HAS_linux32),$(PORTABLE_SHORT_linux32))
test-linux32: ## run kernels, shaders and scenes as 32-bit programs, natively on x86-64
	@scripts/setup.sh
	@$(MAKE) --no-print-directory -j$(JOBS) $(PORTABLE_TESTS:%.c=$(BUILD)/%) $(PORTABLE_BIN_linux32) $(DIR_linux32)/conformance/runner
	@scripts/test.sh --linux32 $(BUILD)
test-arm64: ## run kernels, shaders, scenes, captures and random draws on AArch64, under qemu
	@scripts/setup.sh
	@$(MAKE) --no-print-directory -j$(JOBS) $(PORTABLE_TESTS:%.c=$(BUILD)/%) $(PORTABLE_BIN_arm64) \
	    $(DIR_arm64)/conformance/runner $(DIR_arm64)/fuzz_pipeline $(BUILD)/novem $(DIR_arm64)/novem
	@scripts/test.sh --arm64 $(BUILD)
.PHONY: portable-linux32 test-linux32 test-arm64

unit: $(UNIT_BIN)
# `make unit-vm` builds and runs the tests of one folder; `make lib-vm` compiles it.
tests_of = $(filter $(foreach kind,unit kernel fuzz,tests/$(kind)/$(1)/%),$(UNIT_SRC))
unit-%: FORCE
	@$(MAKE) --no-print-directory $(patsubst %.c,$(BUILD)/%,$(call tests_of,$*))
	@status=0; for t in $(patsubst %.c,$(BUILD)/%,$(call tests_of,$*)); do $$t || status=1; done; exit $$status
lib-%: FORCE
	@$(MAKE) --no-print-directory $(BUILD)/lib/lib$*.a

include tests/conformance/rules.mk programs/rules.mk tests/windows/rules.mk tests/peers/rules.mk tests/suites/rules.mk tests/golden/rules.mk examples/rules.mk
-include bench/rules.mk
include tests/fuzz/rules.mk

tests: $(BUILD)/bench/d3d9 $(BUILD)/bench/lottery $(BUILD)/bench/vm
tests: unit $(BUILD)/conformance/runner $(EXHAUSTIVE) $(BUILD)/fuzz_pipeline ## the native tests, without running them

# --- Commands ------------------------------------------------------------------------------------
JOBS := $(shell nproc)

demo: ## install missing packages, build novem, render the examples to frames/
	@scripts/setup.sh --build
	@$(MAKE) --no-print-directory -j$(JOBS) $(BUILD)/novem examples
	@$(MAKE) --no-print-directory run-demo

dlls: ## install missing packages, build d3d9.dll for 64-bit and 32-bit Windows programs
	@scripts/setup.sh --dlls
	@$(MAKE) --no-print-directory -j$(JOBS) pe
	@echo "built: $(DIR_win64)/d3d9.dll, $(DIR_win32)/d3d9.dll"

# On x86-64 also what Wine and qemu run: the builds for Windows and for other processors.
ifeq ($(shell uname -m),x86_64)
test: ## install missing packages, build everything, run the tests
	@scripts/setup.sh
	@$(MAKE) --no-print-directory -j$(JOBS) native tests examples pe examples-pe $(DIR_win64)/conformance/runner.exe \
	    $(PEERS)/corpus $(PEERS)/assemble.exe portable portable-linux32 $(WINDOWS_BIN) $(DIR_win64)/bench/lottery.exe
	@$(MAKE) --no-print-directory short-sanitizers
	@if $(MAKE) --no-print-directory -j$(JOBS) $(LIBRARIES_win64)/stamp; then \
	    $(MAKE) --no-print-directory -j$(JOBS) $(DIR_win64)/novem.exe; \
	else echo "novem.exe is not built, and not tested"; fi
	@scripts/test.sh $(BUILD)
else
test:
	@scripts/setup.sh
	@$(MAKE) --no-print-directory -j$(JOBS) native tests examples
	@scripts/test.sh --native $(BUILD)
endif

include scripts/libraries.mk scripts/sanitizers.mk
include scripts/macos.mk scripts/dist.mk

# Release check: both compilers and the sanitizers.
check: test asan tsan ## test, asan, tsan, then the native tests as GCC builds them
	@$(MAKE) --no-print-directory -j$(JOBS) CC=gcc BUILD=build/gcc native tests
	@scripts/test.sh --native build/gcc

bench: ## measure this machine
	@scripts/setup.sh --build
	@$(MAKE) --no-print-directory -j$(JOBS) $(BUILD)/novem examples $(BENCHES)
	@scripts/bench.sh $(BUILD)

captures: $(BUILD)/novem ## replay the captures beside the project, write docs/captures.md
	@scripts/captures.sh $(BUILD)/novem

# Compares every argument of every one-argument function with libm, as docs/reference.md
# (numbers/accuracy) promises. It takes minutes.
$(EXHAUSTIVE): tests/exhaustive/functions.c $(CLI_PARSER:%=$(BUILD)/%) $(call libs,native,util)
	@mkdir -p $(@D)
	$(Q)$(COMPILE_native) $< -o $@ $(filter %.o %.a,$^) -lm -MF $@.d
exhaustive: $(EXHAUSTIVE) ## compare functions of one argument with libm for all arguments (minutes)
	@$<

lint: ## check structure, names, documents and commit subjects
	@scripts/lint.sh

format: ## format the source with clang-format
	clang-format -i $(shell git ls-files '*.c' '*.h')

clean: ## remove build/
	rm -rf build $(BUILD)

help: ## print this list
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / {printf "make %-12s %s\n", $$1, $$2}' $(filter-out %.d,$(MAKEFILE_LIST)) | sort
	@echo 'make unit-FOLDER builds and runs the tests of one folder of src, make lib-FOLDER compiles it; V=1 shows commands.'

# Last: the rules above add files to its lists.
include scripts/install.mk

FORCE:
.PHONY: help default all native pe tests unit portable demo dlls test check bench captures exhaustive lint format clean FORCE
.SECONDARY:
-include $(OBJS:.o=.d) $(UNIT_BIN:%=%.d) $(foreach p,arm64 win64 linux32,$(PORTABLE_BIN_$(p):%=%.d)) $(EXHAUSTIVE).d
