# Tests under sanitizers, with clang (gcc takes minutes for a single kernel file): `make asan`, `make tsan`, and the short
# form of these and of `make fuzz` that `make test` runs.

asan: ## native tests under AddressSanitizer and UndefinedBehaviorSanitizer
	@scripts/setup.sh
	@$(MAKE) --no-print-directory -j$(JOBS) BUILD=build/asan $(ASAN) native tests
	@CK_TIMEOUT_MULTIPLIER=10 scripts/test.sh --native build/asan # sanitizers are slow
ASAN := CC=clang-19 CFLAGS="-O1 -g" SAN=address,undefined

# ThreadSanitizer: tests that start threads, scenes, and the rows of bench/d3d9.
TSAN := CC=clang-19 CFLAGS="-O1 -g" SAN=thread
TSAN_TESTS := util/test_condition util/test_threads raster/test_scene raster/test_equivalence \
    draw/test_parallel_draw tex/cache/test_decode_cache api/test_decode_cache api/memory/test_shared \
    api/test_threads present/shared/test_frames present/sink/test_async_writer control/test_control trace/test_record \
    tool/capture/test_replay
tsan: ## tests that start threads under ThreadSanitizer
	@scripts/setup.sh
	@$(MAKE) --no-print-directory -j$(JOBS) BUILD=build/tsan $(TSAN) build/tsan/conformance/runner build/tsan/bench/d3d9 \
	    $(TSAN_TESTS:%=build/tsan/tests/unit/%)
	@for t in $(TSAN_TESTS); do CK_TIMEOUT_MULTIPLIER=10 build/tsan/tests/unit/$$t || exit 1; done
	@NOVEM_THREADS=4 build/tsan/conformance/runner tests/conformance/*/*.d9t
	@NOVEM_THREADS=4 build/tsan/bench/d3d9 --seconds 0.05 --rounds 1

# The short form takes the kernels from BUILD, so that their memory accesses are not checked. Its tests are those of
# code that reads files and requests from outside.
SHORT := $(BUILD)/short
SHORT_ASAN_TESTS := $(patsubst %.c,%,$(filter tests/fuzz/% tests/unit/trace/% \
    $(foreach m,capture frame inspect serve trim,tests/unit/tool/$(m)/%) tests/unit/control/%,$(UNIT_SRC)))
SHORT_TSAN_TESTS := util/test_condition util/test_threads raster/test_scene draw/test_parallel_draw \
    tex/cache/test_decode_cache api/memory/test_shared api/test_threads present/shared/test_frames \
    present/sink/test_async_writer control/test_control
SHORT_MAKE = $(MAKE) --no-print-directory -j$(JOBS) KERNELS=$(BUILD)
short-sanitizers:
	@$(SHORT_MAKE) BUILD=$(SHORT)/asan $(ASAN) $(SHORT)/asan/novem $(SHORT)/asan/conformance/runner \
	    $(SHORT_ASAN_TESTS:%=$(SHORT)/asan/%)
	@$(SHORT_MAKE) BUILD=$(SHORT)/tsan $(TSAN) $(SHORT)/tsan/conformance/runner $(SHORT_TSAN_TESTS:%=$(SHORT)/tsan/tests/unit/%)
	@$(SHORT_MAKE) BUILD=$(SHORT)/fuzz $(FUZZ) $(SHORT)/fuzz/fuzz_shader $(SHORT)/fuzz/seeds/stamp
.PHONY: asan tsan short-sanitizers
