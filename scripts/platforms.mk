# Compilers, instruction sets, and the rules that compile src/ for each platform: native, win64, win32, arm64, linux32,
# and those of scripts/cross.mk.

# --- Instruction sets ----------------------------------------------------------------------------
ARCH := $(shell $(CC) -dumpmachine 2>/dev/null | cut -d- -f1)
ISAS_x86_64  := scalar sse2 avx2 avx512
ISAS_aarch64 := scalar neon
ISAS_native  := $(or $(ISAS_$(ARCH)),scalar)
ISAS_win64   := $(ISAS_x86_64)
ISAS_win32   := $(ISAS_x86_64)
ISAS_arm64   := $(ISAS_aarch64)
ISAS_linux32 := $(ISAS_x86_64)
FLAGS_scalar := -DISA=scalar -DSIMD_LANES=1
FLAGS_sse2   := -DISA=sse2 -DSIMD_LANES=4 -msse2
FLAGS_neon   := -DISA=neon -DSIMD_LANES=4
# Processors with AVX2 also have the other extensions; util/cpu.c checks all of them.
FLAGS_avx2   := -DISA=avx2 -DSIMD_LANES=8 -mavx2 -mfma -mf16c -mbmi -mbmi2
FLAGS_avx512 := -DISA=avx512 -DSIMD_LANES=16 -mavx512f -mavx512bw -mavx512dq -mavx512vl -mbmi -mbmi2

# --- Platforms -----------------------------------------------------------------------------------
DIR_native := $(BUILD)
DIR_win64  := $(BUILD)/win64
DIR_win32  := $(BUILD)/win32
DIR_arm64  := $(BUILD)/arm64
DIR_linux32 := $(BUILD)/linux32
CC_native  := $(CC)
LIBRARIES_win64 := $(BUILD)/win64/libraries
CXX_native := $(subst gcc,g++,$(CC:clang%=clang++%))
# GNU ld makes base relocations of clang's section-relative offsets of thread-local variables: a dll at another base
# than its own would add the difference to the offsets. Emulated ones, as in gcc's code, have no such offsets.
EMULATED_TLS := -femulated-tls
CC_win64   := $(if $(CLANG),$(CLANG) --target=x86_64-w64-mingw32 $(EMULATED_TLS),x86_64-w64-mingw32-gcc-posix)
CC_win32   := $(if $(CLANG),$(CLANG) --target=i686-w64-mingw32 $(EMULATED_TLS),i686-w64-mingw32-gcc-posix)
CC_arm64   := aarch64-linux-gnu-gcc
# 32-bit programs run on an x86-64 kernel as they are. gcc's own files for them (gcc-multilib) exclude its
# cross compilers; clang has all but the C library.
CC_linux32 := clang-19 --target=i386-linux-gnu
# The linker driver, which also compiles programs of one source file: it knows the platform's libraries. Without a date
# in the header, the same sources give the same bytes.
LD_native  := $(CC_native)
LD_win64   := x86_64-w64-mingw32-gcc-posix -Wl,--no-insert-timestamp
LD_win32   := i686-w64-mingw32-gcc-posix -Wl,--no-insert-timestamp
LD_arm64   := $(CC_arm64)
LD_linux32 := $(CC_linux32) --rtlib=compiler-rt --unwindlib=none
# Programs for another machine bring their libraries.
STATIC_win64 := -static
STATIC_arm64 := -static
CXX_win64  := x86_64-w64-mingw32-g++-posix
CXX_arm64  := aarch64-linux-gnu-g++
AR_native  := ar
AR_win64   := x86_64-w64-mingw32-ar
AR_win32   := i686-w64-mingw32-ar
AR_arm64   := aarch64-linux-gnu-ar
AR_linux32 := ar
INCLUDES_native := -Isrc -Isrc/api/native -idirafter $(D3D9_HEADERS)
INCLUDES_win64  := -Isrc -isystem $(SYSINC) -isystem $(LIBRARIES_win64)/include
INCLUDES_win32  := -Isrc -isystem $(SYSINC)
INCLUDES_arm64  := -Isrc -Isrc/api/native -isystem $(SYSINC) -isystem $(BUILD)/arm64/libraries/include \
    -idirafter $(D3D9_HEADERS)
INCLUDES_linux32 := -Isrc -Isrc/api/native -isystem $(SYSINC) -idirafter $(D3D9_HEADERS)
PLATFORM_native := -fPIC -pthread -fvisibility=hidden $(SANFLAGS)
# Functions with the System V calling convention (vm/ir/ir.h) must not use a red zone: Windows overwrites it.
PLATFORM_win64  := -DWIN32_LEAN_AND_MEAN -DNOMINMAX -DNOVEM_SNAPPY=0 -mno-red-zone
PLATFORM_win32  := -DWIN32_LEAN_AND_MEAN -DNOMINMAX -DNOVEM_SNAPPY=0 -msse2 -mfpmath=sse
# Windows aligns the stack to 16 bytes (4 in 32-bit code) and gcc does not realign it: moves of wide vectors to and
# from the stack must be unaligned ones. In 32-bit code gcc has to be told to align it to 16 bytes. clang realigns it in
# functions that need it; with the option, it does so in all of them.
UNALIGNED       := -Wa,-muse-unaligned-vector-move
PLATFORM_win64  += $(if $(CLANG),,$(UNALIGNED))
PLATFORM_win32  += $(if $(CLANG),,-mstackrealign $(UNALIGNED))
# Cross build that tests the results of another processor under qemu; equal to the native build on such a machine.
PLATFORM_arm64  := -fPIC -pthread -fvisibility=hidden
# The kernel's headers are those of x86-64.
PLATFORM_linux32 := -idirafter /usr/include/x86_64-linux-gnu -march=i686 -msse2 -mfpmath=sse -pthread -fvisibility=hidden

PLATFORMS := native win64 win32 arm64 linux32
include scripts/cross.mk

# Whether injected faults are compiled in: FAULTS=0 or 1, with a BUILD of its own; by default in all
# builds but those for Windows (util/fault_injection.h).
FAULT_SWITCH = $(if $(FAULTS),-DNOVEM_FAULTS=$(FAULTS))

# --- Objects and libraries -----------------------------------------------------------------------
# $(call platform_rules,<platform>): objects, and one static library per folder.
define platform_rules
OPTIONS_$(1) = $$(STD) $$(filter-out $$(NO_DEBUG_$(1)),$$(CFLAGS)) $$(WARN) $$(EXACT) $$(FAULT_SWITCH) $$(DEFINES) $$(PLATFORM_$(1)) $$(INCLUDES_$(1)) -MMD -MP
COMPILE_$(1) = $$(CC_$(1)) $$(OPTIONS_$(1))
PROGRAM_$(1) = $$(LD_$(1)) $$(OPTIONS_$(1))
$$(DIR_$(1))/obj/%.o: src/%.c | $$(SYSINC)/stamp
	@mkdir -p $$(@D)
	$$(Q)$$(COMPILE_$(1)) -c $$< -o $$@
$$(DIR_$(1))/obj/%.o: src/%.cpp | $$(SYSINC)/stamp
	@mkdir -p $$(@D)
	$$(Q)$$(CXX_$(1)) $$(CXXSTD) $$(filter-out $$(NO_DEBUG_$(1)),$$(CFLAGS)) -Wall -Wextra $$(WERROR) $$(PLATFORM_$(1)) $$(CXXSAN) -Isrc -isystem $$(SYSINC) -MMD -MP -c $$< -o $$@
$(foreach isa,$(ISAS_$(1)),$(call kern_rule,$(1),$(isa)))
$(foreach f,$(FOLDERS),$(call folder_rule,$(1),$(f)))
endef
# Kernels have line tables only: locations of variables double gcc's compile time.
KERN_DEBUG := $(if $(filter -g,$(CFLAGS)),-g1)
# In fuzzer builds kernels have AddressSanitizer only: all checks take clang minutes per file.
comma := ,
KERN_SAN := $(if $(findstring fuzzer,$(SAN)),-fno-sanitize=undefined$(comma)fuzzer-no-link)
# gcc does not realign the stack of Windows functions with unwind tables, so that wide vectors on it cross cache
# lines. Kernels throw no exceptions and need no tables.
KERN_win64_avx512 := $(if $(CLANG),,-fno-unwind-tables -fno-asynchronous-unwind-tables)
# KERNELS names another build folder, whose kernels are linked as they are. Short sanitizer builds do so: kernels take
# most of the time that such a build needs.
define kern_rule
$(if $(or $(KERNELS_$(1)),$(KERNELS)),$(kern_copied),$(kern_compiled))
endef
define kern_copied

$$(DIR_$(1))/obj/%_kern.$(2).o: $(or $(KERNELS_$(1)),$(KERNELS))/obj/%_kern.$(2).o
	@mkdir -p $$(@D)
	@cp $$< $$@
endef
define kern_compiled

$$(DIR_$(1))/obj/%_kern.$(2).o: src/%_kern.c | $$(SYSINC)/stamp
	@mkdir -p $$(@D)
	$$(Q)$$(COMPILE_$(1)) $$(if $$(NO_DEBUG_$(1)),,$$(KERN_DEBUG)) $$(KERN_SAN) $$(FLAGS_$(2)) $$(KERN_$(1)_$(2)) -c $$< -o $$@
endef
# Sources of a folder and its modules. Of src/tool, Windows has no commands that need fork(), Linux's shared memory or
# Wine on Linux; static programs and macOS have no server of captures (src/tool/main.c).
NOT_ON_WINDOWS := $(addprefix src/tool/,serve/% view/% setup/% mask/% capture/captures% capture/record.c)
LACKS_SERVER := src/tool/serve/%
lacking = $(if $(filter win%,$(1)),$(NOT_ON_WINDOWS)) $(if $(filter musl% mac% arm64,$(1)),$(LACKS_SERVER))
sources = $(filter-out $(call lacking,$(2)),$(wildcard $(addsuffix .c,$(addprefix src/$(1)/,* */* */*/*))))
cxx_sources = $(wildcard src/$(1)/*/*.cpp)
define folder_rule

OBJ_$(1)_$(2) := $$(patsubst src/%.c,$$(DIR_$(1))/obj/%.o,$$(filter-out %_kern.c,$$(call sources,$(2),$(1)))) \
    $$(foreach isa,$$(ISAS_$(1)),$$(patsubst src/%.c,$$(DIR_$(1))/obj/%.$$(isa).o,$$(filter %_kern.c,$$(call sources,$(2),$(1))))) \
    $$(patsubst src/%.cpp,$$(DIR_$(1))/obj/%.o,$$(call cxx_sources,$(2)))
$$(DIR_$(1))/lib/lib$(2).a: $$(OBJ_$(1)_$(2))
	@mkdir -p $$(@D)
	@rm -f $$@
	$$(Q)$$(AR_$(1)) rcs $$@ $$^
OBJS += $$(OBJ_$(1)_$(2))
endef
$(foreach p,$(PLATFORMS),$(eval $(call platform_rules,$(p))))

# `make V=1` shows the commands.
Q = $(if $(V),,@echo "  $(notdir $(firstword $(CC_$(or $(PLAT),native)))) $@";)

# Windows headers include all x86 intrinsics; parsing them takes longer than most files. This stub replaces them.
$(SYSINC)/stamp: Makefile
	@mkdir -p $(SYSINC)
	@for h in $(SHARED_HEADERS); do ln -sfn /usr/include/$$h $(SYSINC)/$$h; done
	@echo '#include <emmintrin.h>' >$(SYSINC)/x86intrin.h
	@touch $@
