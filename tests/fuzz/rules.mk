# Coverage-guided fuzzing of the shader machine with clang's libFuzzer, under AddressSanitizer and
# UndefinedBehaviorSanitizer. `make fuzz` runs for FUZZ_SECONDS and fails on a crash. The input stays in
# build/fuzz/finding-*; build/fuzz/fuzz_shader FILE runs it again.

FUZZ_SECONDS ?= 60
FUZZ_SEEDS := $(wildcard examples/shaders/*.?sh bench/shaders/* tests/conformance/*/*.d9t)
FUZZ := CC=clang-19 CFLAGS="-O1 -g" SAN=fuzzer-no-link,address,undefined

fuzz: ## search for shaders that break the shader machine, guided by coverage
	@scripts/setup.sh
	@$(MAKE) --no-print-directory -j$(JOBS) BUILD=build/fuzz $(FUZZ) build/fuzz/fuzz_shader build/fuzz/seeds/stamp
	@mkdir -p build/fuzz/corpus
	build/fuzz/fuzz_shader -max_total_time=$(FUZZ_SECONDS) -timeout=25 -rss_limit_mb=2048 -max_len=4096 \
	    -artifact_prefix=build/fuzz/finding- -print_final_stats=1 -verbosity=1 build/fuzz/corpus build/fuzz/seeds
.PHONY: fuzz

$(BUILD)/fuzz_shader: tests/fuzz/vm/fuzz_shader.c tests/fuzz/vm/case.h tests/fuzz/vm/tokens.h $(call libs,native,vm ir util)
	$(Q)$(COMPILE_native) -Itests -fsanitize=fuzzer $< -o $@ $(filter %.a,$^) -lm
$(BUILD)/make_seeds: tests/fuzz/vm/seeds.c tests/fuzz/vm/case.h tests/fuzz/vm/mutate.h $(call libs,native,vm ir util)
	$(Q)$(COMPILE_native) -Itests $< -o $@ $(filter %.a,$^) $(shell pkg-config --cflags --libs check) -lm
$(BUILD)/seeds/stamp: $(BUILD)/make_seeds $(FUZZ_SEEDS)
	@rm -rf $(@D) && mkdir -p $(@D)
	@$< $(@D) $(FUZZ_SEEDS)
	@touch $@
