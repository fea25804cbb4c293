# Benchmarks: native programs that scripts/bench.sh runs. bench/x.c is the program x. bench/vm/ is the program vm, with
# plain.c, shaders in C for the compiler to vectorise; the benchmark of the shader machine is `novem bench`.
BENCH_VM_OBJ := $(patsubst %.c,$(BUILD)/obj/%.o,$(wildcard bench/vm/*.c))
BENCH_SINGLE := $(patsubst bench/%.c,$(BUILD)/bench/%,$(wildcard bench/*.c))
BENCHES := $(BENCH_SINGLE) $(BUILD)/bench/vm
# Clang 19 warns about its own -march=native on some processors with AVX10.
HOST_CPU = $(if $(filter $(ARCH),$(shell uname -m)),$(shell \
    for flags in -march=native "-march=native -Wno-invalid-feature-combination"; do \
        $(CC) -Werror $$flags -x c -c /dev/null -o /dev/null 2>/dev/null && echo "$$flags" && break; \
    done))

BENCH_CLI := $(CLI_PARSER:%=$(BUILD)/%)
$(BUILD)/bench/%: bench/%.c $(BENCH_CLI) $(BUILD)/libnovem.a
	@mkdir -p $(@D)
	$(Q)$(COMPILE_native) $< -o $@ $(BENCH_CLI) $(BUILD)/libnovem.a -lm -MF $@.d

$(BUILD)/obj/bench/%.o: bench/%.c
	@mkdir -p $(@D)
	$(Q)$(COMPILE_native) -c $< -o $@
# -Wno-pass-failed: with sanitizers clang cannot vectorise it, which is accepted.
$(BUILD)/obj/bench/vm/plain.o: bench/vm/plain.c
	@mkdir -p $(@D)
	$(Q)$(COMPILE_native) -O3 -fno-trapping-math -Wno-pass-failed $(HOST_CPU) -c $< -o $@
$(BUILD)/bench/vm: $(BENCH_VM_OBJ) $(call libs,native,$(call below,tool))
	@mkdir -p $(@D)
	$(Q)$(CC) -pthread $(SANFLAGS) -o $@ -Wl,--start-group $^ -Wl,--end-group $(TOOL_LIBS)
-include $(BENCH_SINGLE:%=%.d) $(BENCH_VM_OBJ:.o=.d)

# bench/d3d9: scenes through the Direct3D 9 API alone, native and for Windows. The latter runs on any d3d9.dll
# (scripts/bench_peers.sh).
BENCH_D3D9_SRC := $(wildcard bench/d3d9/*.c)
BENCH_D3D9_SHADERS := $(patsubst bench/d3d9/shaders/%,$(BUILD)/generated/bench/%.h,$(wildcard bench/d3d9/shaders/*))
$(BENCH_D3D9_SHADERS): $(BUILD)/generated/bench/%.h: bench/d3d9/shaders/% $(BUILD)/embed
	@mkdir -p $(@D)
	@$(BUILD)/embed $< >$@.tmp && mv $@.tmp $@
define bench_d3d9_rule
$$(DIR_$(1))/obj/bench/d3d9/%.o: bench/d3d9/%.c $(BENCH_D3D9_SHADERS) | $$(SYSINC)/stamp
	@mkdir -p $$(@D)
	$$(Q)$$(COMPILE_$(1)) -Iexamples -I$(BUILD)/generated -isystem $$(SYSINC) -c $$< -o $$@
BENCH_D3D9_$(1) := $$(BENCH_D3D9_SRC:%.c=$$(DIR_$(1))/obj/%.o) \
    $(foreach e,common art mesh,$$(DIR_$(1))/obj/examples/$(e).o) $$(CLI_PARSER:%=$$(DIR_$(1))/%)
endef
$(foreach p,native win64 win32 arm64,$(eval $(call bench_d3d9_rule,$(p))))
$(BUILD)/bench/d3d9: $(BENCH_D3D9_native) $(BUILD)/libnovem.a
	@mkdir -p $(@D)
	$(Q)$(CC) -pthread $(SANFLAGS) -o $@ $^ -lm
# For counts of instructions under qemu.
$(DIR_arm64)/bench/d3d9: PLAT := arm64
$(DIR_arm64)/bench/d3d9: $(BENCH_D3D9_arm64) $(foreach f,$(DLL_FOLDERS),$(OBJ_arm64_$(f)))
	@mkdir -p $(@D)
	$(Q)$(LD_arm64) $(STATIC_arm64) -pthread -o $@ $^ -lm
# The plugin of QEMU that counts them (scripts/bench_arm64.sh).
$(BUILD)/bench/instructions.so: bench/qemu/instructions.c
	@mkdir -p $(@D)
	$(Q)$(CC) $(STD) $(CFLAGS) $(WARN) -fPIC -shared -fvisibility=hidden -o $@ $<
define bench_d3d9_pe_rule
$$(DIR_$(1))/bench/d3d9.exe: PLAT := $(1)
$$(DIR_$(1))/bench/d3d9.exe: $$(BENCH_D3D9_$(1)) $$(call libs,$(1),util)
	@mkdir -p $$(@D)
	$$(Q)$$(LD_$(1)) -static -o $$@ $$^ -ld3d9 -luser32
endef
$(foreach p,win64 win32,$(eval $(call bench_d3d9_pe_rule,$(p))))
BENCHES += $(BUILD)/bench/d3d9
-include $(foreach p,native win64 win32 arm64,$(BENCH_D3D9_$(p):.o=.d))

# bench/lottery: random pipeline states, on any Direct3D 9 library, which it loads at run time.
BENCH_LOTTERY_SHADERS := $(patsubst bench/lottery/shaders/%,$(BUILD)/generated/lottery/%.h, \
    $(wildcard bench/lottery/shaders/*))
$(BENCH_LOTTERY_SHADERS): $(BUILD)/generated/lottery/%.h: bench/lottery/shaders/% $(BUILD)/embed
	@mkdir -p $(@D)
	@$(BUILD)/embed $< >$@.tmp && mv $@.tmp $@
define bench_lottery_rule
$$(DIR_$(1))/obj/bench/lottery/%.o: bench/lottery/%.c $(BENCH_LOTTERY_SHADERS) | $$(SYSINC)/stamp
	@mkdir -p $$(@D)
	$$(Q)$$(COMPILE_$(1)) -Iexamples -Iprograms -I$(BUILD)/generated -isystem $$(SYSINC) -c $$< -o $$@
BENCH_LOTTERY_$(1) := $$(patsubst %.c,$$(DIR_$(1))/obj/%.o,$$(wildcard bench/lottery/*.c)) \
    $(foreach o,bench/d3d9/clock bench/d3d9/device bench/d3d9/scene examples/art examples/common examples/mesh \
        programs/library programs/guids,$$(DIR_$(1))/obj/$(o).o)
endef
$(foreach p,native win64 win32 arm64,$(eval $(call bench_lottery_rule,$(p))))
$(BUILD)/bench/lottery: $(BENCH_LOTTERY_native) $(BUILD)/libnovem.so
	@mkdir -p $(@D)
	$(Q)$(CC) -pthread $(SANFLAGS) -o $@ $(filter %.o,$^) -lm -ldl
define bench_lottery_pe_rule
$$(DIR_$(1))/bench/lottery.exe: PLAT := $(1)
$$(DIR_$(1))/bench/lottery.exe: $$(BENCH_LOTTERY_$(1)) $$(DIR_$(1))/lib/libutil.a
	@mkdir -p $$(@D)
	$$(Q)$$(LD_$(1)) -static -o $$@ $$^ -luser32
endef
$(foreach p,win64 win32,$(eval $(call bench_lottery_pe_rule,$(p))))
BENCHES += $(BUILD)/bench/lottery
-include $(foreach p,native win64 win32 arm64,$(BENCH_LOTTERY_$(p):.o=.d))

# Compares our d3d9.dll with Wine's own, in turns: docs/bench.md.
bench-peer: $(DIR_win64)/bench/d3d9.exe $(DIR_win64)/d3d9.dll ## measure beside Wine's own d3d9
	@scripts/bench_peers.sh --build $(BUILD)
.PHONY: bench-peer

# bench/tex: decoding, uploads and copies of textures.
BENCH_TEX_OBJ := $(patsubst %.c,$(BUILD)/obj/%.o,$(wildcard bench/tex/*.c))
$(BUILD)/bench/tex: $(BENCH_TEX_OBJ) $(BENCH_CLI) $(BUILD)/libnovem.a
	@mkdir -p $(@D)
	$(Q)$(CC) -pthread $(SANFLAGS) -o $@ $^ -lm
BENCHES += $(BUILD)/bench/tex
-include $(BENCH_TEX_OBJ:.o=.d)
