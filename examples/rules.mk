# Examples for this machine, Windows and arm64. examples/<name>.c is the program <name> of EXAMPLES; it includes
# headers that are assembled from examples/shaders/*.vsh and *.psh.
#
#   make examples   builds all            make run-demo   renders them to frames/<name>/

EXAMPLES := lit ui bump procedural deferred curved
EXAMPLE_PARTS := common art mesh paint
DEMO_ARGS ?= --frames 4

SHADER_TEXT := $(wildcard examples/shaders/*.vsh examples/shaders/*.psh)
SHADER_HEADERS := $(SHADER_TEXT:examples/%=$(BUILD)/generated/%.h)

# The assembler runs on this machine, whatever the target of the examples is.
$(BUILD)/embed: examples/tools/embed.c $(CLI_PARSER:%=$(BUILD)/%) $(BUILD)/obj/tool/cli/file.o $(call libs,native,vm ir util)
	@mkdir -p $(@D)
	$(Q)$(COMPILE_native) $< -o $@ $(filter %.o %.a,$^) -lm -MF $@.d
$(BUILD)/generated/shaders/%.h: examples/shaders/% $(BUILD)/embed
	@mkdir -p $(@D)
	@$(BUILD)/embed $< >$@.tmp && mv $@.tmp $@

define examples_rule
$$(DIR_$(1))/obj/examples/%.o: examples/%.c $(SHADER_HEADERS) | $$(SYSINC)/stamp
	@mkdir -p $$(@D)
	$$(Q)$$(COMPILE_$(1)) -Iexamples -I$(BUILD)/generated -c $$< -o $$@
OBJS += $(foreach e,$(EXAMPLES) $(EXAMPLE_PARTS),$$(DIR_$(1))/obj/examples/$(e).o)
EXAMPLE_OBJ_$(1) := $(foreach e,$(EXAMPLE_PARTS),$$(DIR_$(1))/obj/examples/$(e).o)
endef
$(foreach p,native win64 win32 arm64,$(eval $(call examples_rule,$(p))))

$(EXAMPLES:%=$(BUILD)/examples/%): $(BUILD)/examples/%: $(BUILD)/obj/examples/%.o $(EXAMPLE_OBJ_native) $(BUILD)/libnovem.a
	@mkdir -p $(@D)
	$(Q)$(CC) -pthread $(SANFLAGS) -o $@ $^ -lm
$(EXAMPLES:%=$(DIR_arm64)/examples/%): PLAT := arm64
$(EXAMPLES:%=$(DIR_arm64)/examples/%): $(DIR_arm64)/examples/%: $(DIR_arm64)/obj/examples/%.o $(EXAMPLE_OBJ_arm64) \
    $(foreach f,$(DLL_FOLDERS),$(OBJ_arm64_$(f)))
	@mkdir -p $(@D)
	$(Q)$(CC_arm64) -static -pthread -o $@ $^ -lm
portable: $(EXAMPLES:%=$(DIR_arm64)/examples/%)
# The scene of docs/tutorial-pixel.md and its capture.
OBJS += $(BUILD)/obj/examples/fault.o
$(BUILD)/tutorial/fault: $(BUILD)/obj/examples/fault.o $(EXAMPLE_OBJ_native) $(BUILD)/libnovem.a
	@mkdir -p $(@D)
	$(Q)$(CC) -pthread $(SANFLAGS) -o $@ $^ -lm
tutorial-capture: $(BUILD)/tutorial/fault $(BUILD)/novem
	@mkdir -p docs/captures
	@$(BUILD)/novem record -o docs/captures/fault.trace -- $< --frames 2 --size 480x270
.PHONY: tutorial-capture

# Built next to our d3d9.dll, which programs load before the system's (Wine: WINEDLLOVERRIDES=d3d9=n).
define example_pe_rule
$(EXAMPLES:%=$(DIR_$(1))/%.exe): PLAT := $(1)
$(EXAMPLES:%=$(DIR_$(1))/%.exe): $(DIR_$(1))/%.exe: $(DIR_$(1))/obj/examples/%.o $$(EXAMPLE_OBJ_$(1))
	$$(Q)$$(LD_$(1)) -static -o $$@ $$^ -ld3d9 -luser32
endef
$(foreach p,win64 win32,$(eval $(call example_pe_rule,$(p))))

examples: $(EXAMPLES:%=$(BUILD)/examples/%) ## build the example programs
examples-pe: $(EXAMPLES:%=$(DIR_win64)/%.exe) $(EXAMPLES:%=$(DIR_win32)/%.exe)
run-demo: examples
	@for e in $(EXAMPLES); do mkdir -p frames/$$e; \
	    NOVEM_SINK=png:frames/$$e $(BUILD)/examples/$$e $(DEMO_ARGS) || exit 1; done
	@echo "pictures: frames/"
.PHONY: examples examples-pe run-demo
