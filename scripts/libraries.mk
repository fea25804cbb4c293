zig: ## fetch the compiler that links for other systems (scripts/cross.mk) into build/zig, with npm
	@scripts/setup.sh --dist
	@scripts/libraries/zig.sh $(BUILD)/zig
.PHONY: zig

# Libraries that `novem` needs and the platform lacks, built from source packages of Debian or Ubuntu; `novem` for
# Windows, static Linux and the tests of AArch64, which is linked with them.
SOURCES := $(BUILD)/sources
$(SOURCES)/stamp: scripts/libraries/sources.sh
	@scripts/libraries/sources.sh $(SOURCES)
	@touch $@
define libraries_rule
LIBRARIES_$(1) := $(BUILD)/$(1)/libraries
$(BUILD)/$(1)/libraries/stamp: scripts/libraries/build.sh | $(SOURCES)/stamp
	@scripts/libraries/build.sh $(SOURCES) $$(@D) "$(2)" "$$(AR_$(1))" $(3)
endef
$(eval $(call libraries_rule,win64,x86_64-w64-mingw32-gcc-posix))
$(eval $(call libraries_rule,arm64,$(CC_arm64)))
$(foreach p,$(filter winarm64,$(PLATFORMS)),$(eval $(call libraries_rule,$(p),$(CC_$(p)),pthread)))
$(foreach p,$(filter musl%,$(PLATFORMS)),$(eval $(call libraries_rule,$(p),$(CC_$(p)),mimalloc)))

# Those objects include the headers of the libraries. The left out folders are also those of programs that are built
# without the libraries.
define tool_rule
$$(filter-out %_kern.% $$(foreach f,scene cli hlsl,$$(DIR_$(1))/obj/tool/$$(f)/%),$$(OBJ_$(1)_tool)) $$(patsubst src/%.c,$$(DIR_$(1))/obj/%.o,$$(wildcard \
    $$(addprefix src/trace/codec/,packed.c $$(if $$(filter win64,$(1)),,stream.c)) src/trace/stream/*.c)): \
    | $$(LIBRARIES_$(1))/stamp
$$(DIR_$(1))/novem$(2): PLAT := $(1)
$$(DIR_$(1))/novem$(2): $$(call libs,$(1),$$(call reverse,$$(FOLDERS))) | $$(LIBRARIES_$(1))/stamp
	$$(Q)$(3) -o $$@ -Wl,--start-group $$(filter %.a,$$^) $$(TOOL_LIBRARIES:%=$$(LIBRARIES_$(1))/lib/lib%.a) \
	    -Wl,--end-group $(4)
	@case $$@ in *.exe) scripts/dist/undate.py $$@ ;; esac
endef
TOOL_LIBRARIES := brotlidec zstd z deflate cjson
$(eval $(call tool_rule,win64,.exe,x86_64-w64-mingw32-g++-posix -Wl$(comma)--no-insert-timestamp -static,-lgdi32 -luser32 -lshell32))
$(eval $(call tool_rule,arm64,,$(CXX_arm64) $(STATIC_arm64) -pthread,-lm))
# It is static: it opens no libraries at run time, and reads snappy without one.
$(DIR_arm64)/obj/trace/codec/snappy.o: DEFINES := -DNOVEM_SNAPPY=0
$(DIR_arm64)/obj/present/window/sdl.o $(DIR_arm64)/obj/tool/main.o: DEFINES := -DNOVEM_STATIC
$(foreach p,$(filter winarm64,$(PLATFORMS)),$(eval $(call tool_rule,$(p),.exe,$(CXX_$(p)) -s,$(LIBRARIES_$(p))/lib/libpthread.a -lgdi32 -luser32 -lshell32)))
# The allocator of musl gives each large block back to the system, which makes reading pictures ten times slower.
$(foreach p,$(filter musl%,$(PLATFORMS)),$(eval $(call tool_rule,$(p),,$(CXX_$(p)) -static -s \
    $(LIBRARIES_$(p))/lib/libmimalloc.a,)))

ifneq ($(ZIG),)
# Windows has no pthread.h.
$(foreach f,$(FOLDERS),$(OBJ_winarm64_$(f))): | $(LIBRARIES_winarm64)/stamp
# The linker of LLVM knows no options for the names of stdcall functions and for the base address: it needs none.
$(DIR_winarm64)/d3d9.dll: PLAT := winarm64
$(DIR_winarm64)/d3d9.dll: src/api/exports.def $(DIR_winarm64)/obj/dll_version.o \
    $(foreach f,$(DLL_FOLDERS),$(OBJ_winarm64_$(f))) | $(LIBRARIES_winarm64)/stamp
	$(Q)$(LD_winarm64) -shared -s -o $@ $^ $(LIBRARIES_winarm64)/lib/libpthread.a -lgdi32 -luser32
	@scripts/dist/undate.py $@
endif

# A quick check that sources compile for these platforms: those with a branch for a system or a processor, without making
# code. The headers of libraries are those of their sources.
CROSS_HEADERS = -isystem $(SOURCES) $(addprefix -isystem $(SOURCES)/,zlib zstd/lib brotli/c/include libdeflate)
CROSS_HEADERS_winarm64 = -isystem $(SOURCES)/mingw-w64/mingw-w64-libraries/winpthreads/include
CROSS_BRANCHES := ^ *\# *(el)?if.*(_WIN32|__aarch64__|__linux__|__GLIBC__|__APPLE__|NOVEM_STATIC)
CROSS_CHECKED = $(filter $(shell grep -rlE '$(CROSS_BRANCHES)' src --include='*.c'), \
    $(foreach f,$(FOLDERS),$(call sources,$(f),$(1))))
cross-check: $(SOURCES)/stamp $(SYSINC)/stamp ## compile files with branches for systems for those of zig, without code
	@$(foreach p,winarm64 musl64 muslarm64 macarm64,printf '%s\n' $(call CROSS_CHECKED,$(p)) | xargs -P $(JOBS) -n 8 \
	    $(filter-out -MMD -MP,$(COMPILE_$(p))) $(CROSS_HEADERS) $(CROSS_HEADERS_$(p)) -fsyntax-only &&) true
.PHONY: cross-check
