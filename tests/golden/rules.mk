# The bundled suite of golden images (docs/uncertainty.md).
#
#   make golden         checks that this library matches exactly, natively and as dll under Wine; that
#                       variant renderers stay within the masks; and that the suite detects every
#                       injected fault of src/util/fault_injection.def
#   make golden-peer    reports Wine's own d3d9 in build/golden/peer; differences do not fail the target

GOLDEN_OUT := $(BUILD)/golden
GOLDEN_RUN = $(BUILD)/novem golden run --quiet
WINE_LIST = WINEDLLOVERRIDES="d3d9=$(1);winedbg.exe=d;mscoree,mshtml=" WINEDEBUG=-all wine $(DIR_win64)/$(2)/runner.exe --list {list}

golden: $(BUILD)/novem $(DIR_win64)/conformance/runner.exe $(DIR_win64)/d3d9.dll ## run the bundled golden suite
	@mkdir -p $(GOLDEN_OUT) $(DIR_win64)/conformance-own
	@cp $(DIR_win64)/conformance/runner.exe $(DIR_win64)/d3d9.dll $(DIR_win64)/conformance-own/
	@echo "native:"; $(GOLDEN_RUN) tests/golden/exact.toml -o $(GOLDEN_OUT)/native \
	    --candidate '$(BUILD)/novem scene --list {list}' > $(GOLDEN_OUT)/native.txt; code=$$?; tail -1 $(GOLDEN_OUT)/native.txt; exit $$code
	@echo "d3d9.dll under Wine:"; xvfb-run -a $(GOLDEN_RUN) tests/golden/exact.toml -o $(GOLDEN_OUT)/wine --jobs 1 \
	    --candidate '$(call WINE_LIST,n,conformance-own)' > $(GOLDEN_OUT)/wine.txt; code=$$?; tail -1 $(GOLDEN_OUT)/wine.txt; exit $$code
	@tests/golden/unknown_names.sh $(BUILD)/novem
	@tests/golden/variants.sh $(BUILD)/novem $(GOLDEN_OUT)/variants
	@tests/golden/faults.sh $(BUILD)/novem $(GOLDEN_OUT)/faults

golden-peer: $(BUILD)/novem $(DIR_win64)/conformance/runner.exe ## run the golden suite on another d3d9.dll
	@mkdir -p $(GOLDEN_OUT)
	@xvfb-run -a $(GOLDEN_RUN) tests/golden/suite.toml -o $(GOLDEN_OUT)/peer --backend wined3d/llvmpipe --keep --jobs 1 \
	    --candidate '$(call WINE_LIST,b,conformance)' > $(GOLDEN_OUT)/peer.txt; tail -1 $(GOLDEN_OUT)/peer.txt
.PHONY: golden golden-peer
