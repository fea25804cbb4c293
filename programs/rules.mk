# Programs that draw with any Direct3D 9 library, as candidates of `novem golden`:
#   novem-retrace   replays captures (programs/retrace.c)
#   novem-runner    draws text scenes (tests/conformance/runner.c); runner.exe on Windows
# and a program that `novem` runs under Wine:
#   novem-hlsl.exe  compiles HLSL with Wine's d3dcompiler_47 (programs/hlsl.c)
# The Windows programs have a folder of their own, because they use the d3d9.dll beside them: in the folder of Novem's
# dll they would judge Novem.

PROGRAMS_native := $(BUILD)/novem-retrace $(BUILD)/novem-runner
PROGRAMS_win64  := $(DIR_win64)/bin/novem-retrace.exe $(DIR_win64)/bin/runner.exe $(DIR_win64)/bin/novem-hlsl.exe
PROGRAMS_win32  := $(DIR_win32)/bin/novem-retrace.exe $(DIR_win32)/bin/runner.exe
programs: $(PROGRAMS_native) ## novem-retrace and novem-runner
programs-pe: $(PROGRAMS_win64) $(PROGRAMS_win32) ## the same for Windows
native: $(PROGRAMS_native)
pe: $(PROGRAMS_win64) $(PROGRAMS_win32)
.PHONY: programs programs-pe

# In these objects Direct3DCreate9 is a call to the loaded library; those of src/api are not linked.
RETRACE_FOLDERS := trace cmd ff present raster vm tex util
define programs_rule
OBJ_$(1)_loader := $$(LOADER_$(1):%=$$(DIR_$(1))/obj/programs/%.o)
OBJ_$(1)_retrace := $$(patsubst %,$$(DIR_$(1))/obj/programs/%.o,retrace png $(if $(filter win%,$(1)),no_codecs)) \
    $$(OBJ_$(1)_loader)
$$(DIR_$(1))/obj/programs/%.o: programs/%.c | $$(SYSINC)/stamp
	@mkdir -p $$(@D)
	$$(Q)$$(COMPILE_$(1)) -Iprograms -c $$< -o $$@
OBJS += $$(OBJ_$(1)_retrace) $$(LINKED:%=$$(DIR_$(1))/obj/programs/%.o)
endef
$(foreach p,$(PLATFORMS),$(eval $(call programs_rule,$(p))))
# Captures may be larger than the 2 GiB of the default type for file offsets.
$(DIR_win64)/obj/trace/%.o $(DIR_win32)/obj/trace/%.o: CFLAGS += -D_FILE_OFFSET_BITS=64

$(BUILD)/novem-retrace: $(OBJ_native_retrace) $(call libs,native,$(RETRACE_FOLDERS))
	$(Q)$(CC) -pthread $(SANFLAGS) $(LDFLAGS) -o $@ $(filter %.o,$^) -Wl,--start-group $(filter %.a,$^) -Wl,--end-group $(TOOL_LIBS) -ldl
$(BUILD)/novem-runner: $(OBJ_native_conformance) $(OBJ_native_loader) $(call libs,native,present vm ir util)
	$(Q)$(CC) -pthread $(SANFLAGS) $(LDFLAGS) -o $@ $(filter %.o,$^) -Wl,--start-group $(filter %.a,$^) -Wl,--end-group -lm -ldl
# Compiled streams need zstd, which mingw-w64 lacks, and the packets of src/cmd.
define programs_pe_rule
$$(PROGRAMS_$(1)): PLAT := $(1)
$$(DIR_$(1))/bin/novem-retrace.exe: $$(OBJ_$(1)_retrace) $$(filter-out $$(addprefix $$(DIR_$(1))/obj/trace/,stream/% calls/% codec/packed.o),$$(OBJ_$(1)_trace)) \
    $$(call libs,$(1),$$(filter-out trace cmd,$$(RETRACE_FOLDERS)))
	@mkdir -p $$(@D)
	$$(Q)$$(LD_$(1)) -static -o $$@ $$(filter %.o,$$^) -Wl,--start-group $$(filter %.a,$$^) -Wl,--end-group -lz -lgdi32 -luser32
$$(DIR_$(1))/bin/runner.exe: $$(DIR_$(1))/conformance/runner.exe
	@mkdir -p $$(@D)
	@cp $$< $$@
endef
$(foreach p,win64 win32,$(eval $(call programs_pe_rule,$(p))))

OBJ_win64_hlsl := $(patsubst %,$(DIR_win64)/obj/%.o,programs/hlsl tool/hlsl/compile tool/hlsl/shared tool/hlsl/windows)
OBJS += $(OBJ_win64_hlsl)
$(DIR_win64)/bin/novem-hlsl.exe: $(OBJ_win64_hlsl) $(call libs,win64,util)
	@mkdir -p $(@D)
	$(Q)$(LD_win64) -static -o $@ $(filter %.o,$^) -Wl,--start-group $(filter %.a,$^) -Wl,--end-group

# For `make install`: native programs go to bin/, those for Windows to lib/novem/win64/bin/ and lib/novem/win32/bin/,
# where {retrace}, {runner.exe} and the others are looked for (src/tool/cli/programs.c).
