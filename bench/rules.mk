# Benchmarks: programs of this machine, run by scripts/bench.sh.
BENCH_SRC := $(wildcard bench/*.c)
BENCHES := $(BENCH_SRC:bench/%.c=$(BUILD)/bench/%)

$(BUILD)/bench/%: bench/%.c $(BUILD)/libnovem.a
	@mkdir -p $(@D)
	$(Q)$(COMPILE_native) $< -o $@ $(BUILD)/libnovem.a -lm -MF $@.d
-include $(BENCHES:%=%.d)
