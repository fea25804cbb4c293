# Conformance scenes: builds the runner for this machine and for Windows, and runs the scenes.
#
#   make conformance            runs all scenes on this library, natively
#   make conformance-pe         on our d3d9.dll under Wine
#   make conformance-coverage   checks that the scenes use every shader instruction
#   make conformance-ieee       with MUL_ZERO=ieee
#   make conformance-peer       on Wine's own d3d9 under Wine, for comparison (peers.md)
# SCENES="tests/conformance/fog tests/conformance/light/s*.d9t" selects scenes.

# src/tool/scene interprets the scenes, src/tool/hlsl compiles their HLSL; the runner is a main program that needs no
# other part of `novem`.
SCENE_SRC := $(wildcard src/tool/scene/*.c src/tool/hlsl/*.c)
# The option parser, for programs that need no other part of src/tool.
CLI_PARSER := $(patsubst %,obj/tool/cli/%.o,options walk)
SCENES ?= $(sort $(wildcard tests/conformance/*/))

define conformance_rule
OBJ_$(1)_scene := $$(SCENE_SRC:src/%.c=$$(DIR_$(1))/obj/%.o)
OBJ_$(1)_conformance := $$(DIR_$(1))/conformance/runner.o $$(DIR_$(1))/obj/programs/png.o $$(OBJ_$(1)_scene) \
    $$(CLI_PARSER:%=$$(DIR_$(1))/%)
$$(DIR_$(1))/conformance/%.o: tests/conformance/%.c | $$(SYSINC)/stamp
	@mkdir -p $$(@D)
	$$(Q)$$(COMPILE_$(1)) -Iprograms -c $$< -o $$@
OBJS += $$(DIR_$(1))/conformance/runner.o $$(OBJ_$(1)_scene)
endef
$(foreach p,$(PLATFORMS),$(eval $(call conformance_rule,$(p))))

# programs/ has what loads a library at run time, and what replaces that where Novem is linked.
LINKED := linked no_window
$(BUILD)/conformance/runner: $(OBJ_native_conformance) $(LINKED:%=$(BUILD)/obj/programs/%.o) $(BUILD)/libnovem.a
	$(Q)$(CC) -pthread $(SANFLAGS) -o $@ $^ -lm
# The interpreter alone, for tests/fuzz/api/test_scenes.c.
$(BUILD)/conformance/scenes.a: $(OBJ_native_scene)
	@mkdir -p $(@D)
	@rm -f $@
	$(Q)$(AR_native) rcs $@ $^
$(BUILD)/tests/fuzz/api/test_scenes: $(BUILD)/conformance/scenes.a
define conformance_linked_rule
$$(DIR_$(1))/conformance/runner: PLAT := $(1)
$$(DIR_$(1))/conformance/runner: $$(OBJ_$(1)_conformance) $$(LINKED:%=$$(DIR_$(1))/obj/programs/%.o) \
    $$(foreach f,$$(DLL_FOLDERS),$$(OBJ_$(1)_$$(f)))
	$$(Q)$$(LD_$(1)) $$(STATIC_$(1)) -pthread -o $$@ $$^ -lm
endef
$(foreach p,arm64 linux32,$(eval $(call conformance_linked_rule,$(p))))
# The Windows runner links only our assembler; it loads the d3d9.dll that Windows finds.
LOADER_native := library window guids
LOADER_arm64 := $(LOADER_native)
LOADER_win64 := library no_window guids
LOADER_win32 := $(LOADER_win64)
define conformance_pe_rule
$$(DIR_$(1))/conformance/runner.exe: PLAT := $(1)
$$(DIR_$(1))/conformance/runner.exe: $$(OBJ_$(1)_conformance) $$(LOADER_$(1):%=$$(DIR_$(1))/obj/programs/%.o) \
    $$(call libs,$(1),vm ir util)
	$$(Q)$$(LD_$(1)) -static -o $$@ $$^ -luser32
endef
$(foreach p,win64 win32,$(eval $(call conformance_pe_rule,$(p))))

# winedbg.exe=d below: after a crash Wine would start its debugger, which waits for input.
WINE_RUN := WINEDEBUG=-all xvfb-run -a wine

conformance: $(BUILD)/conformance/runner
	@$< --isolate $(SCENES)
conformance-peer: $(DIR_win64)/conformance/runner.exe
	@WINEDLLOVERRIDES="winedbg.exe=d" $(WINE_RUN) $< --isolate $(SCENES)
conformance-pe: $(DIR_win64)/conformance/runner.exe $(DIR_win64)/d3d9.dll
	@mkdir -p $(DIR_win64)/conformance-own
	@cp $^ $(DIR_win64)/conformance-own/
	@WINEDLLOVERRIDES="d3d9=n;winedbg.exe=d" $(WINE_RUN) $(DIR_win64)/conformance-own/runner.exe --isolate $(SCENES)
# Checks that a scene covers every instruction and form of every shader version.
conformance-coverage: $(BUILD)/conformance/runner
	@tests/conformance/check_coverage.sh src/vm/isa/isa.def $< $(wildcard tests/conformance/*/*.d9t)
# With IEEE's 0 * infinity; scenes that need the Direct3D 9 rule are skipped.
conformance-ieee: $(BUILD)/conformance/runner
	@NOVEM_MUL_ZERO=ieee $< --isolate $(SCENES)
# Checks that every scene names a rule of docs/reference.md.
conformance-rules:
	@tests/conformance/check_rules.sh docs/reference.md $(wildcard tests/conformance/*/*.d9t)
.PHONY: conformance conformance-peer conformance-pe conformance-rules conformance-coverage \
    conformance-ieee
