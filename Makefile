# Novem. `make` builds everything for this machine and for Windows, `make test` tests it, `make demo`
# renders the examples. Variables: CC, BUILD (output folder), CFLAGS, SAN (a -fsanitize list).

BUILD  ?= build
# What it makes takes up to a tenth less time than what gcc does, which is taken where it is not installed.
CLANG  := $(if $(shell command -v clang-19),clang-19)
CC     := $(if $(filter default,$(origin CC)),$(or $(CLANG),gcc),$(CC))
CFLAGS ?= -O2 -g
WARN   := -Wall -Wextra -Wmissing-prototypes -Werror
# Bit-exactness (docs/reference.md, "numbers"): no contraction into fused multiply-adds.
# -fno-math-errno lets sqrtf become the instruction; it changes no result.
EXACT  := -ffp-contract=off -fno-math-errno
STD    := -std=gnu11 -D_GNU_SOURCE
# For a package that has no C interface; only `novem` has such parts.
CXXSTD := -std=c++17
CXXSTD += -Wno-deprecated-declarations # its library uses what it deprecates
# Checks of virtual tables and of the types of functions need a runtime that programs linked as C do not have.
CXXSAN := $(if $(SAN),-fno-sanitize=vptr $(if $(findstring clang,$(CC)),-fno-sanitize=function))
SANFLAGS := $(if $(SAN),-fsanitize=$(SAN) -fno-sanitize-recover=all -fno-omit-frame-pointer)

# Lowest first. A folder may use those before it; tests of a folder link it and all before it.
FOLDERS := util tex vm ff raster draw cmd present record api trace tool
DLL_FOLDERS := util tex vm ff raster draw cmd present record api

D3D9_HEADERS := /usr/share/mingw-w64/include
# Header-only packages that the Windows builds share with the native one.
SYSINC  := build/sysinclude
SHARED_HEADERS := simde xxhash.h stb

# --- Instruction sets ----------------------------------------------------------------------------
ARCH := $(shell $(CC) -dumpmachine | cut -d- -f1)
ISAS_x86_64  := scalar sse2 avx2 avx512
ISAS_aarch64 := scalar neon
ISAS_native  := $(or $(ISAS_$(ARCH)),scalar)
ISAS_win64   := $(ISAS_x86_64)
ISAS_win32   := $(ISAS_x86_64)
ISAS_arm64   := $(ISAS_aarch64)
FLAGS_scalar := -DISA=scalar -DSIMD_LANES=1
FLAGS_sse2   := -DISA=sse2 -DSIMD_LANES=4 -msse2
FLAGS_neon   := -DISA=neon -DSIMD_LANES=4
# Processors with AVX2 have the others; util/cpu.c asks for all.
FLAGS_avx2   := -DISA=avx2 -DSIMD_LANES=8 -mavx2 -mfma -mf16c -mbmi -mbmi2
FLAGS_avx512 := -DISA=avx512 -DSIMD_LANES=16 -mavx512f -mavx512bw -mavx512dq -mavx512vl -mbmi -mbmi2

# --- Platforms -----------------------------------------------------------------------------------
DIR_native := $(BUILD)
DIR_win64  := $(BUILD)/win64
DIR_win32  := $(BUILD)/win32
DIR_arm64  := $(BUILD)/arm64
CC_native  := $(CC)
CXX_native := $(subst gcc,g++,$(CC:clang%=clang++%))
CC_win64   := $(if $(CLANG),$(CLANG) --target=x86_64-w64-mingw32,x86_64-w64-mingw32-gcc-posix)
CC_win32   := $(if $(CLANG),$(CLANG) --target=i686-w64-mingw32,i686-w64-mingw32-gcc-posix)
CC_arm64   := aarch64-linux-gnu-gcc
# Programs are linked, and those of one file compiled, by a compiler that knows its libraries.
LD_native  := $(CC_native)
LD_win64   := x86_64-w64-mingw32-gcc-posix
LD_win32   := i686-w64-mingw32-gcc-posix
LD_arm64   := $(CC_arm64)
AR_native  := ar
AR_win64   := x86_64-w64-mingw32-ar
AR_win32   := i686-w64-mingw32-ar
AR_arm64   := aarch64-linux-gnu-ar
INCLUDES_native := -Isrc -Isrc/api/native -idirafter $(D3D9_HEADERS)
INCLUDES_win64  := -Isrc -isystem $(SYSINC)
INCLUDES_win32  := -Isrc -isystem $(SYSINC)
INCLUDES_arm64  := -Isrc -Isrc/api/native -isystem $(SYSINC) -idirafter $(D3D9_HEADERS)
PLATFORM_native := -fPIC -pthread -fvisibility=hidden $(SANFLAGS)
# Functions that are called as elsewhere (vm/code.h) must not use what Windows takes for free.
PLATFORM_win64  := -DWIN32_LEAN_AND_MEAN -DNOMINMAX -mno-red-zone
PLATFORM_win32  := -DWIN32_LEAN_AND_MEAN -DNOMINMAX -msse2 -mfpmath=sse -mstackrealign
# Windows aligns the stack to 16 bytes only (4 on 32 bit) and gcc leaves it so: wide vectors are moved unaligned.
UNALIGNED       := -Wa,-muse-unaligned-vector-move
PLATFORM_win64  += $(if $(CLANG),,$(UNALIGNED))
PLATFORM_win32  += $(if $(CLANG),,$(UNALIGNED))
# To test the bits of another processor here, under qemu; on such a machine the native build is the same.
PLATFORM_arm64  := -fPIC -pthread -fvisibility=hidden

all: native pe tests examples

# $(call platform_rules,<platform>): objects and one static library a folder.
define platform_rules
OPTIONS_$(1) = $$(STD) $$(CFLAGS) $$(WARN) $$(EXACT) $$(PLATFORM_$(1)) $$(INCLUDES_$(1)) -MMD -MP
COMPILE_$(1) = $$(CC_$(1)) $$(OPTIONS_$(1))
PROGRAM_$(1) = $$(LD_$(1)) $$(OPTIONS_$(1))
$$(DIR_$(1))/obj/%.o: src/%.c | $$(SYSINC)/stamp
	@mkdir -p $$(@D)
	$$(Q)$$(COMPILE_$(1)) -c $$< -o $$@
$$(DIR_$(1))/obj/%.o: src/%.cpp
	@mkdir -p $$(@D)
	$$(Q)$$(CXX_$(1)) $$(CXXSTD) $$(CFLAGS) -Wall -Wextra -Werror $$(PLATFORM_$(1)) $$(CXXSAN) -Isrc -MMD -MP -c $$< -o $$@
$(foreach isa,$(ISAS_$(1)),$(call kern_rule,$(1),$(isa)))
$(foreach f,$(FOLDERS),$(call folder_rule,$(1),$(f)))
endef
# Where variables live in kernels takes gcc as long to note as to compile them; lines are enough.
KERN_DEBUG := $(if $(filter -g,$(CFLAGS)),-g1)
# Under the fuzzer kernels are watched for memory alone; all checks make clang take minutes a file.
comma := ,
KERN_SAN := $(if $(findstring fuzzer,$(SAN)),-fno-sanitize=undefined$(comma)fuzzer-no-link)
# Where functions have tables for unwinding, gcc leaves the stack of Windows as it is, and every wide vector there
# crosses cache lines. Kernels throw nothing.
KERN_win64_avx512 := $(if $(CLANG),,-fno-unwind-tables -fno-asynchronous-unwind-tables)
define kern_rule

$$(DIR_$(1))/obj/%_kern.$(2).o: src/%_kern.c | $$(SYSINC)/stamp
	@mkdir -p $$(@D)
	$$(Q)$$(COMPILE_$(1)) $$(KERN_DEBUG) $$(KERN_SAN) $$(FLAGS_$(2)) $$(KERN_$(1)_$(2)) -c $$< -o $$@
endef
# Of a folder and those in it.
sources = $(wildcard src/$(1)/*.c src/$(1)/*/*.c)
cxx_sources = $(wildcard src/$(1)/*/*.cpp)
define folder_rule

OBJ_$(1)_$(2) := $$(patsubst src/%.c,$$(DIR_$(1))/obj/%.o,$$(filter-out %_kern.c,$$(call sources,$(2)))) \
    $$(foreach isa,$$(ISAS_$(1)),$$(patsubst src/%.c,$$(DIR_$(1))/obj/%.$$(isa).o,$$(filter %_kern.c,$$(call sources,$(2))))) \
    $$(patsubst src/%.cpp,$$(DIR_$(1))/obj/%.o,$$(call cxx_sources,$(2)))
$$(DIR_$(1))/lib/lib$(2).a: $$(OBJ_$(1)_$(2))
	@mkdir -p $$(@D)
	@rm -f $$@
	$$(Q)$$(AR_$(1)) rcs $$@ $$^
OBJS += $$(OBJ_$(1)_$(2))
endef
$(foreach p,native win64 win32 arm64,$(eval $(call platform_rules,$(p))))

# The report's page is inside the object.
$(BUILD)/obj/tool/golden/report_page.o: $(wildcard src/tool/golden/page/*)

# `make V=1` shows the commands.
Q = $(if $(V),,@echo "  $(notdir $(firstword $(CC_$(or $(PLAT),native)))) $@";)

# Headers of Windows ask for every instruction of x86; reading them took longer than compiling most files does.
$(SYSINC)/stamp: Makefile
	@mkdir -p $(SYSINC)
	@for h in $(SHARED_HEADERS); do ln -sfn /usr/include/$$h $(SYSINC)/$$h; done
	@echo '#include <emmintrin.h>' >$(SYSINC)/x86intrin.h
	@touch $@

libs = $(foreach f,$(2),$(DIR_$(1))/lib/lib$(f).a)
# Folder $(1) and all below it, highest first, as the linker wants them.
reverse = $(if $(1),$(call reverse,$(wordlist 2,$(words $(1)),$(1))) $(firstword $(1)))
upto = $(if $(filter $(1),$(firstword $(2))),$(1),$(firstword $(2)) $(call upto,$(1),$(wordlist 2,$(words $(2)),$(2))))
below = $(call reverse,$(call upto,$(1),$(FOLDERS)))

# --- Products ------------------------------------------------------------------------------------
TOOL_LIBS := $(shell pkg-config --libs libbrotlidec libzstd zlib 2>/dev/null) -lsnappy -ldeflate -lcjson -lstdc++ -lm

native: $(BUILD)/novem $(BUILD)/libnovem.so $(BUILD)/libnovem.a
pe: $(BUILD)/win64/d3d9.dll $(BUILD)/win32/d3d9.dll

$(BUILD)/libnovem.a: $(foreach f,$(DLL_FOLDERS),$(OBJ_native_$(f)))
	@rm -f $@
	$(Q)$(AR_native) rcs $@ $^
$(BUILD)/libnovem.so: $(foreach f,$(DLL_FOLDERS),$(OBJ_native_$(f)))
	$(Q)$(CC) -shared -pthread $(SANFLAGS) -Wl,-soname,libnovem.so -o $@ $^ -lm
$(BUILD)/novem: $(call libs,native,$(call reverse,$(FOLDERS)))
	$(Q)$(CC) -pthread $(SANFLAGS) -o $@ -Wl,--start-group $^ -Wl,--end-group $(TOOL_LIBS)

define dll_rule
$$(DIR_$(1))/d3d9.dll: PLAT := $(1)
$$(DIR_$(1))/d3d9.dll: src/api/exports.def $(foreach f,$(DLL_FOLDERS),$(OBJ_$(1)_$(f)))
	$$(Q)$$(LD_$(1)) -shared -static -static-libgcc -Wl,--enable-stdcall-fixup -o $$@ $$^ -lgdi32 -luser32
endef
$(foreach p,win64 win32,$(eval $(call dll_rule,$(p))))

# --- Tests ---------------------------------------------------------------------------------------
EXHAUSTIVE := $(BUILD)/tests/exhaustive/functions
# tests/unit/<folder>/test_x.c and tests/kernel/<folder>/test_x.c: one program each, with the Check
# framework, linked with <folder> and what lies below it. Folders in folders have theirs.
UNIT_SRC := $(wildcard tests/unit/*/test_*.c tests/unit/*/*/test_*.c tests/kernel/*/test_*.c \
    tests/fault/*/test_*.c tests/fuzz/*/test_*.c)
UNIT_BIN := $(UNIT_SRC:%.c=$(BUILD)/%)
define unit_rule
$(BUILD)/$(1): $(1).c tests/check_main.h $(call libs,native,$(call below,$(2)))
	@mkdir -p $$(@D)
	$$(Q)$$(COMPILE_native) -Itests $$< -o $$@ -Wl,--start-group $$(filter %.a,$$^) -Wl,--end-group \
	    $$(shell pkg-config --cflags --libs check) $(TOOL_LIBS) -MF $$@.d
endef
folder_of = $(word 3,$(subst /, ,$(1)))
$(foreach s,$(UNIT_SRC),$(eval $(call unit_rule,$(s:.c=),$(call folder_of,$(s)))))

# The tests of kernels again for other platforms, where a small stand-in is their Check. They print
# hashes ("bits ...") that must be those of this machine.
PORTABLE_TESTS := $(wildcard tests/kernel/*/test_*.c) tests/fuzz/vm/test_run.c
EXE_win64 := .exe
define portable_rule
$(DIR_$(1))/$(2)$(EXE_$(1)): PLAT := $(1)
$(DIR_$(1))/$(2)$(EXE_$(1)): $(2).c $(wildcard tests/portable/*.h tests/*.h) $(call libs,$(1),$(call below,$(3)))
	@mkdir -p $$(@D)
	$$(Q)$$(PROGRAM_$(1)) -Itests/portable -Itests -static $$< -o $$@ -Wl,--start-group $$(filter %.a,$$^) -Wl,--end-group -lm -MF $$@.d
PORTABLE_BIN_$(1) += $(DIR_$(1))/$(2)$(EXE_$(1))
endef
$(foreach p,arm64 win64,$(foreach s,$(PORTABLE_TESTS),$(eval $(call portable_rule,$(p),$(s:.c=),$(call folder_of,$(s))))))
portable: $(PORTABLE_BIN_arm64) $(PORTABLE_BIN_win64) $(DIR_arm64)/conformance/runner

unit: $(UNIT_BIN)
# `make unit-vm`: build and run the tests of one folder; `make lib-vm`: compile it.
tests_of = $(wildcard $(foreach kind,unit kernel fault fuzz,tests/$(kind)/$(1)/test_*.c tests/$(kind)/$(1)/*/test_*.c))
unit-%: FORCE
	@$(MAKE) --no-print-directory $(patsubst %.c,$(BUILD)/%,$(call tests_of,$*))
	@status=0; for t in $(patsubst %.c,$(BUILD)/%,$(call tests_of,$*)); do $$t || status=1; done; exit $$status
lib-%: FORCE
	@$(MAKE) --no-print-directory $(BUILD)/lib/lib$*.a

include tests/conformance/rules.mk tests/windows/rules.mk tests/peers/rules.mk tests/suites/rules.mk tests/fuzz/rules.mk tests/golden/rules.mk examples/rules.mk
-include bench/rules.mk

tests: unit $(BUILD)/conformance/runner $(EXHAUSTIVE) $(BUILD)/bench/vm

# --- What people type ----------------------------------------------------------------------------
JOBS := $(shell nproc)

demo:
	@scripts/setup.sh --build
	@$(MAKE) --no-print-directory -j$(JOBS) examples
	@$(MAKE) --no-print-directory run-demo

test:
	@scripts/setup.sh
	@$(MAKE) --no-print-directory -j$(JOBS) native tests examples pe examples-pe $(DIR_win64)/conformance/runner.exe \
	    $(PEERS)/corpus $(PEERS)/assemble.exe portable $(WINDOWS_BIN)
	@scripts/test.sh $(BUILD)

# The tests of this machine under AddressSanitizer and UndefinedBehaviorSanitizer. With clang: gcc takes
# minutes for a single file of kernels.
ASAN := CC=clang-19 CFLAGS="-O1 -g" SAN=address,undefined
asan:
	@scripts/setup.sh
	@$(MAKE) --no-print-directory -j$(JOBS) BUILD=build/asan $(ASAN) native tests
	@CK_TIMEOUT_MULTIPLIER=10 scripts/test.sh --native build/asan # everything takes longer

# What threads do together under ThreadSanitizer: tests that start some, scenes and the rows of the bench.
TSAN := CC=clang-19 CFLAGS="-O1 -g" SAN=thread
TSAN_TESTS := util/test_condition util/test_threads raster/test_scene raster/test_equivalence draw/test_parallel_draw tex/test_decode_cache api/test_decode_cache \
    api/test_shared api/test_threads present/test_frames present/test_files trace/test_record tool/test_replay
tsan:
	@scripts/setup.sh
	@$(MAKE) --no-print-directory -j$(JOBS) BUILD=build/tsan $(TSAN) build/tsan/conformance/runner build/tsan/bench/d3d9 \
	    $(TSAN_TESTS:%=build/tsan/tests/unit/%)
	@for t in $(TSAN_TESTS); do CK_TIMEOUT_MULTIPLIER=10 build/tsan/tests/unit/$$t || exit 1; done
	@NOVEM_THREADS=4 build/tsan/conformance/runner tests/conformance/*/*.d9t
	@NOVEM_THREADS=4 build/tsan/bench/d3d9 --seconds 0.05 --rounds 1

# Both compilers and the sanitizers, as before a release.
check: test asan tsan
	@$(MAKE) --no-print-directory -j$(JOBS) CC=gcc BUILD=build/gcc native tests
	@scripts/test.sh --native build/gcc

bench:
	@scripts/setup.sh --build
	@$(MAKE) --no-print-directory -j$(JOBS) $(BUILD)/novem examples $(BENCHES)
	@scripts/bench.sh $(BUILD)

captures: $(BUILD)/novem
	@scripts/captures.sh $(BUILD)/novem

PREFIX ?= /usr/local
install: native pe
	install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/lib/novem/win64 $(DESTDIR)$(PREFIX)/lib/novem/win32
	install -m 755 $(BUILD)/novem $(DESTDIR)$(PREFIX)/bin/
	install -d $(DESTDIR)$(PREFIX)/include
	install -m 644 src/present/novem_frames.h $(DESTDIR)$(PREFIX)/include/
	install -m 755 $(BUILD)/libnovem.so $(DESTDIR)$(PREFIX)/lib/
	install -m 644 $(BUILD)/libnovem.a $(DESTDIR)$(PREFIX)/lib/
	install -m 755 $(DIR_win64)/d3d9.dll $(DESTDIR)$(PREFIX)/lib/novem/win64/
	install -m 755 $(DIR_win32)/d3d9.dll $(DESTDIR)$(PREFIX)/lib/novem/win32/

# Every argument of every one-argument function against libm, as docs/reference.md (numbers/accuracy)
# promises: some minutes.
$(EXHAUSTIVE): tests/exhaustive/functions.c $(call libs,native,util)
	@mkdir -p $(@D)
	$(Q)$(COMPILE_native) $< -o $@ $(filter %.a,$^) -lm -MF $@.d
exhaustive: $(EXHAUSTIVE)
	@$<

lint:
	@scripts/lint.sh

format:
	clang-format -i $(shell git ls-files '*.c' '*.h')

clean:
	rm -rf build $(BUILD)

FORCE:
.PHONY: all native pe tests unit portable demo test asan tsan check bench captures exhaustive install lint format clean FORCE
.SECONDARY:
-include $(OBJS:.o=.d) $(UNIT_BIN:%=%.d) $(PORTABLE_BIN_arm64:%=%.d) $(PORTABLE_BIN_win64:%=%.d) $(EXHAUSTIVE).d
