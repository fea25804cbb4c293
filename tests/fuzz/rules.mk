# `make fuzz` runs two fuzzers, each for FUZZ_SECONDS:
#   fuzz_shader    coverage-guided fuzzing of the shader machine with clang's libFuzzer, under AddressSanitizer and
#                  UndefinedBehaviorSanitizer. The input that crashes stays in build/fuzz/finding-*;
#                  build/fuzz/fuzz_shader FILE runs it again.
#   fuzz_pipeline  random draws in many ways, which must leave the same memory (below). It names the seeds that differ;
#                  build/fuzz_pipeline SEED runs one again. The first seed is the time, or FUZZ_SEED.

FUZZ_SECONDS ?= 60
FUZZ_SEED ?= $(shell date +%s)
FUZZ_SEEDS := $(wildcard examples/shaders/*.?sh bench/shaders/* tests/conformance/*/*.d9t)
FUZZ := CC=clang-19 CFLAGS="-O1 -g" SAN=fuzzer-no-link,address,undefined

fuzz: ## search for shaders that break the shader machine, and for draws with other pixels when compiled
	@scripts/setup.sh
	@$(MAKE) --no-print-directory -j$(JOBS) BUILD=build/fuzz $(FUZZ) build/fuzz/fuzz_shader build/fuzz/seeds/stamp
	@mkdir -p build/fuzz/corpus
	build/fuzz/fuzz_shader -max_total_time=$(FUZZ_SECONDS) -timeout=25 -rss_limit_mb=2048 -max_len=4096 \
	    -artifact_prefix=build/fuzz/finding- -print_final_stats=1 -verbosity=1 build/fuzz/corpus build/fuzz/seeds
	@$(MAKE) --no-print-directory -j$(JOBS) $(BUILD)/fuzz_pipeline
	$(BUILD)/fuzz_pipeline --from $(FUZZ_SEED) --seconds $(FUZZ_SECONDS)
.PHONY: fuzz

$(BUILD)/fuzz_shader: tests/fuzz/vm/fuzz_shader.c tests/fuzz/vm/case.h tests/fuzz/vm/tokens.h $(call libs,native,vm ir util)
	$(Q)$(COMPILE_native) -Itests -fsanitize=fuzzer $< -o $@ $(filter %.a,$^) -lm
$(BUILD)/make_seeds: tests/fuzz/vm/seeds.c tests/fuzz/vm/case.h tests/fuzz/vm/mutate.h $(call libs,native,vm ir util)
	$(Q)$(COMPILE_native) -Itests $< -o $@ $(filter %.a,$^) $(shell pkg-config --cflags --libs check) -lm
$(BUILD)/seeds/stamp: $(BUILD)/make_seeds $(FUZZ_SEEDS)
	@rm -rf $(@D) && mkdir -p $(@D)
	@$< $(@D) $(FUZZ_SEEDS)
	@touch $@

# Differential fuzz of the pixel pipeline: random states, primitives and surfaces, drawn in several ways
# (tests/fuzz/pipeline/pipeline.h). The states are those of bench/lottery. The linker routes allocations to its guards.
FUZZ_PIPELINE_SRC := $(wildcard tests/fuzz/pipeline/*.c)
FUZZ_WRAPS := $(addprefix mem_,alloc calloc realloc strdup free) ir_expand_mul0 tex_sampler_const_lod \
    tex_can_group_samplers tex_sampler_packed tex_sampler_axis_aligned raster_draw_begin
define fuzz_pipeline_rule
FUZZ_PIPELINE_$(1) := $$(FUZZ_PIPELINE_SRC:%.c=$$(DIR_$(1))/obj/%.o)
$$(FUZZ_PIPELINE_$(1)): PLAT := $(1)
$$(FUZZ_PIPELINE_$(1)): $$(DIR_$(1))/obj/tests/%.o: tests/%.c $$(BENCH_LOTTERY_SHADERS)
	@mkdir -p $$(@D)
	$$(Q)$$(COMPILE_$(1)) -Itests -Ibench/lottery -Iexamples -Iprograms -I$$(BUILD)/generated -c $$< -o $$@
$$(DIR_$(1))/fuzz_pipeline: PLAT := $(1)
$$(DIR_$(1))/fuzz_pipeline: $$(FUZZ_PIPELINE_$(1)) \
    $$(filter-out %/lottery/main.o %/programs/library.o %/programs/guids.o,$$(BENCH_LOTTERY_$(1))) \
    $$(call libs,$(1),$$(call below,api))
	$$(Q)$$(LD_$(1)) $$(STATIC_$(1)) -pthread $$(SANFLAGS) -o $$@ $$(filter %.o,$$^) $$(FUZZ_WRAPS:%=-Wl$$(comma)--wrap=%) \
	    -Wl,--start-group $$(filter %.a,$$^) -Wl,--end-group -lm
-include $$(FUZZ_PIPELINE_$(1):.o=.d)
endef
$(foreach p,native arm64,$(eval $(call fuzz_pipeline_rule,$(p))))
