# Libraries that `novem` needs and the platform lacks, built from source packages of Debian or Ubuntu; `novem` for
# Windows and static Linux, which is linked with them.
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
$(foreach p,$(filter winarm64,$(PLATFORMS)),$(eval $(call libraries_rule,$(p),$(LD_$(p)),pthread)))
$(foreach p,$(filter musl%,$(PLATFORMS)),$(eval $(call libraries_rule,$(p),$(LD_$(p)))))

# Those objects include the headers of the libraries.
define tool_rule
$$(filter-out %_kern.%,$$(OBJ_$(1)_tool)) $$(addprefix $$(DIR_$(1))/obj/trace/,codec/packed.o \
    $$(patsubst src/trace/%.c,%.o,$$(wildcard src/trace/stream/*.c))): | $$(LIBRARIES_$(1))/stamp
$$(DIR_$(1))/novem$(2): PLAT := $(1)
$$(DIR_$(1))/novem$(2): $$(call libs,$(1),$$(call reverse,$$(FOLDERS))) | $$(LIBRARIES_$(1))/stamp
	$$(Q)$(3) -o $$@ -Wl,--start-group $$(filter %.a,$$^) $$(TOOL_LIBRARIES:%=$$(LIBRARIES_$(1))/lib/lib%.a) \
	    -Wl,--end-group $(4)
endef
TOOL_LIBRARIES := brotlidec zstd z deflate cjson
$(eval $(call tool_rule,win64,.exe,x86_64-w64-mingw32-g++-posix -Wl$(comma)--no-insert-timestamp -static,-lgdi32 -luser32 -lshell32))
$(foreach p,$(filter winarm64,$(PLATFORMS)),$(eval $(call tool_rule,$(p),.exe,$(CXX_$(p)) -s,$(LIBRARIES_$(p))/lib/libpthread.a -lgdi32 -luser32 -lshell32)))
$(foreach p,$(filter musl%,$(PLATFORMS)),$(eval $(call tool_rule,$(p),,$(CXX_$(p)) -static -s,)))

ifneq ($(ZIG),)
# Windows has no pthread.h.
$(foreach f,$(FOLDERS),$(OBJ_winarm64_$(f))): | $(LIBRARIES_winarm64)/stamp
# The linker of LLVM knows no options for the names of stdcall functions and for the base address: it needs none.
$(DIR_winarm64)/d3d9.dll: PLAT := winarm64
$(DIR_winarm64)/d3d9.dll: src/api/exports.def $(DIR_winarm64)/obj/dll_version.o \
    $(foreach f,$(DLL_FOLDERS),$(OBJ_winarm64_$(f))) | $(LIBRARIES_winarm64)/stamp
	$(Q)$(LD_winarm64) -shared -s -o $@ $^ $(LIBRARIES_winarm64)/lib/libpthread.a -lgdi32 -luser32
endif
