# Platforms that the C compiler of zig builds, which carries their C libraries and headers. They are there if ZIG names
# the program (default: the one that scripts/libraries/zig.sh has fetched):
#   winarm64    Windows on ARM64 (d3d9.dll, novem.exe)
#   musl64      Linux on x86-64, novem as one static file
#   muslarm64   the same for AArch64
ZIG ?= $(abspath $(wildcard $(BUILD)/zig/package/zig))
PLATFORMS += $(if $(ZIG),winarm64 musl64 muslarm64)
TARGET_winarm64  := aarch64-windows-gnu
TARGET_musl64    := x86_64-linux-musl
TARGET_muslarm64 := aarch64-linux-musl
ISAS_winarm64  := $(ISAS_aarch64)
ISAS_musl64    := $(ISAS_x86_64)
ISAS_muslarm64 := $(ISAS_aarch64)
# Kernels call no function of the C library that differs between libraries. So those of this machine are linked.
KERNELS_musl64 := $(if $(filter x86_64,$(ARCH)),$(BUILD))

# clang compiles with zig's headers: zig itself takes a second to start. zig links, which needs no other file.
CROSS_INCLUDE := $(dir $(ZIG))lib/libc/include
HEADERS_winarm64  := any-windows-any
HEADERS_musl64    := x86_64-linux-musl generic-musl x86-linux-any any-linux-any
HEADERS_muslarm64 := aarch64-linux-musl generic-musl aarch64-linux-any any-linux-any
CROSS_CLANG := $(if $(findstring clang,$(CC)),$(CC),$(CLANG))
# Their files are for releases, and linked without debug information.
$(foreach p,winarm64 musl64 muslarm64 macarm64 macintel,$(eval NO_DEBUG_$(p) := -g))
define cross_platform
DIR_$(1) := $(BUILD)/$(1)
CC_$(1)  := $(if $(CROSS_CLANG),$(CROSS_CLANG) --target=$(TARGET_$(1)) -nostdlibinc \
    $(HEADERS_$(1):%=-idirafter $(CROSS_INCLUDE)/%),$(ZIG) cc -target $(TARGET_$(1)))
CXX_$(1) := $(ZIG) c++ -target $(TARGET_$(1))
LD_$(1)  := $(ZIG) cc -target $(TARGET_$(1))
AR_$(1)  := $(or $(shell command -v llvm-ar-19),$(ZIG) ar)
endef
$(foreach p,winarm64 musl64 muslarm64,$(eval $(call cross_platform,$(p))))
INCLUDES_winarm64  := -Isrc -isystem $(SYSINC) -isystem $(BUILD)/winarm64/libraries/include
INCLUDES_musl64    := -Isrc -Isrc/api/native -isystem $(SYSINC) -isystem $(BUILD)/musl64/libraries/include \
    -idirafter $(D3D9_HEADERS)
INCLUDES_muslarm64 := $(subst musl64,muslarm64,$(INCLUDES_musl64))
PLATFORM_winarm64  := -DWIN32_LEAN_AND_MEAN -DNOMINMAX -DNOVEM_SNAPPY=0
PLATFORM_musl64    := -pthread -fvisibility=hidden -DNOVEM_SNAPPY=0 -DNOVEM_STATIC
PLATFORM_muslarm64 := $(PLATFORM_musl64)
