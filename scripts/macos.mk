# macOS: build/macos/libnovem.dylib and build/macos/novem, each for Apple silicon and Intel in one file, without Apple's
# SDK. clang compiles with the headers that zig carries (scripts/cross.mk); lld and zig link; llvm-lipo joins.
#   make macos     both files
# Nobody has run them on a Mac.
MACOS := $(BUILD)/macos
MACOS_LEAST := 11
PLATFORMS_macos := macarm64 macintel
ISAS_macarm64 := $(ISAS_aarch64)
ISAS_macintel := $(ISAS_x86_64)
DIR_macarm64  := $(MACOS)/arm64
DIR_macintel  := $(MACOS)/x86_64
ZIG_macarm64  := aarch64-macos
ZIG_macintel  := x86_64-macos
LIPO := llvm-lipo-19
MACOS_TOOLS := $(and $(ZIG),$(CROSS_CLANG),$(shell command -v $(LIPO)),$(shell command -v ld64.lld-19))
# The linker of zig 0.11 exports all symbols: that of LLVM (package lld-19) links the library. It signs what it links.
LLD_MACOS := ld64.lld-19 -platform_version macos $(MACOS_LEAST).0 $(MACOS_LEAST).0 -adhoc_codesign -x -S -dead_strip
define macos_platform
LIBRARIES_$(1) := $$(DIR_$(1))/libraries
LD_$(1)  := $$(ZIG) cc -target $$(ZIG_$(1)).$(MACOS_LEAST).0-none
CXX_$(1) := $$(ZIG) c++ -target $$(ZIG_$(1)).$(MACOS_LEAST).0-none
CC_$(1)  := $$(CROSS_CLANG) --target=$$(notdir $$(DIR_$(1)))-apple-macos$(MACOS_LEAST) -nostdlibinc \
    $$(addprefix -idirafter $$(CROSS_INCLUDE)/,$$(ZIG_$(1)).$(MACOS_LEAST)-none \
    any-macos.$(MACOS_LEAST)-any any-macos-any)
AR_$(1)  := $$(ZIG) ar
INCLUDES_$(1) := -Isrc -Isrc/api/native -isystem $$(SYSINC) -isystem $$(LIBRARIES_$(1))/include \
    -idirafter $$(D3D9_HEADERS)
PLATFORM_$(1) := -fvisibility=hidden -DNOVEM_SNAPPY=0
endef
$(foreach p,$(PLATFORMS_macos),$(eval $(call macos_platform,$(p))))

# Rules that other platforms get in the Makefile and in libraries.mk.
define macos_rules
$(call platform_rules,$(1))
$$(DIR_$(1))/obj/util/version.o: DEFINES := -DNOVEM_VERSION='"$$(VERSION)"'
$$(DIR_$(1))/obj/util/version.o: VERSION
$$(DIR_$(1))/obj/control/page.o: $$(wildcard src/control/page/*)
$$(DIR_$(1))/obj/tool/golden/report_page.o: $$(wildcard src/tool/golden/page/*)
$$(DIR_$(1))/obj/tool/page/page.o: $$(wildcard src/tool/page/shared/*)
$$(DIR_$(1))/obj/tool/page/frame_page.o: $$(wildcard src/tool/page/frame/*)
$$(DIR_$(1))/obj/tool/bench/corpus.o: $$(wildcard bench/shaders/*.asm)
$$(LIBRARIES_$(1))/stamp: scripts/libraries/build.sh | $$(SOURCES)/stamp
	@scripts/libraries/build.sh $$(SOURCES) $$(@D) "$$(CC_$(1))" "$$(AR_$(1))"
$$(OBJ_$(1)_tool) $$(OBJ_$(1)_trace): | $$(LIBRARIES_$(1))/stamp
$$(DIR_$(1))/libnovem.dylib: PLAT := $(1)
$$(DIR_$(1))/libnovem.dylib: src/api/libnovem.map $$(foreach f,$$(DLL_FOLDERS),$$(OBJ_$(1)_$$(f)))
	@sed -n '/global:/,/local:/s/^ *\([A-Za-z0-9_*]*\);$$$$/_\1/p' $$< >$$(@D)/exports
	$$(Q)$$(LLD_MACOS) -arch $$(notdir $$(DIR_$(1))) -dylib -install_name @rpath/libnovem.dylib \
	    -exported_symbols_list $$(@D)/exports -o $$@ $$(filter %.o,$$^) $$(dir $$(ZIG))lib/libc/darwin/libSystem.11.tbd
$$(DIR_$(1))/novem: PLAT := $(1)
$$(DIR_$(1))/novem: $$(foreach f,$$(FOLDERS),$$(OBJ_$(1)_$$(f))) | $$(LIBRARIES_$(1))/stamp
	$$(Q)$$(CXX_$(1)) -s -o $$@ $$^ $$(TOOL_LIBRARIES:%=$$(LIBRARIES_$(1))/lib/lib%.a)
endef
ifneq ($(ZIG),)
$(foreach p,$(PLATFORMS_macos),$(eval $(call macos_rules,$(p))))
$(MACOS)/libnovem.dylib $(MACOS)/novem: $(MACOS)/%: $(DIR_macarm64)/% $(DIR_macintel)/%
	@echo "  lipo $@"
	@$(LIPO) -create -output $@ $^
endif
MACOS_FILES := $(addprefix $(MACOS)/,libnovem.dylib novem)
macos: $(if $(MACOS_TOOLS),$(MACOS_FILES),no-macos-tools) ## libnovem.dylib and novem for macOS
no-macos-tools:
	@echo "files for macOS need clang, lld and zig: install them by make zig" >&2; exit 1
.PHONY: macos no-macos-tools
