# Benchmarks: programs of this machine, run by scripts/bench.sh. bench/x.c is the program x; bench/vm/ is
# the program vm, with kernels (_kern.c) once an instruction set, and plain.c as a compiler would do it.
BENCH_VM_SRC := $(filter-out %_kern.c,$(wildcard bench/vm/*.c))
BENCH_VM_OBJ := $(BENCH_VM_SRC:%.c=$(BUILD)/obj/%.o) \
    $(foreach isa,$(ISAS_native),$(BUILD)/obj/bench/vm/ceiling_kern.$(isa).o)
BENCH_SINGLE := $(patsubst bench/%.c,$(BUILD)/bench/%,$(wildcard bench/*.c))
BENCHES := $(BENCH_SINGLE) $(BUILD)/bench/vm
HOST_CPU := $(if $(filter $(ARCH),$(shell uname -m)),-march=native)

$(BUILD)/bench/%: bench/%.c $(BUILD)/libnovem.a
	@mkdir -p $(@D)
	$(Q)$(COMPILE_native) $< -o $@ $(BUILD)/libnovem.a -lm -MF $@.d

$(BUILD)/obj/bench/%.o: bench/%.c
	@mkdir -p $(@D)
	$(Q)$(COMPILE_native) -c $< -o $@
# Sanitizers keep clang from making vectors of it; so be it.
$(BUILD)/obj/bench/vm/plain.o: bench/vm/plain.c
	@mkdir -p $(@D)
	$(Q)$(COMPILE_native) -O3 -fno-trapping-math -Wno-pass-failed $(HOST_CPU) -c $< -o $@
define bench_kern_rule
$$(BUILD)/obj/bench/%_kern.$(1).o: bench/%_kern.c
	@mkdir -p $$(@D)
	$$(Q)$$(COMPILE_native) $$(FLAGS_$(1)) -c $$< -o $$@
endef
$(foreach isa,$(ISAS_native),$(eval $(call bench_kern_rule,$(isa))))
$(BUILD)/bench/vm: $(BENCH_VM_OBJ) $(call libs,native,$(call below,trace))
	@mkdir -p $(@D)
	$(Q)$(CC) -pthread $(SANFLAGS) -o $@ -Wl,--start-group $^ -Wl,--end-group $(TOOL_LIBS)
-include $(BENCH_SINGLE:%=%.d) $(BENCH_VM_OBJ:.o=.d)
