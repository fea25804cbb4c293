# Runs Wine's public tests of Direct3D 9, D3DX and VMR-9 on our d3d9.dll: see docs/conformance.md.
#   make suites SUITES=folder-with-wine's-sources [TESTS="visual.*fog* device.test_lights"] [PEER=1] [ROOT=folder]
#     [VKD3D=folder-with-vkd3d's-sources]
#   make suites-table      writes the results of the last runs to docs/conformance.md

suites: $(DIR_win64)/d3d9.dll ## run Wine's public tests of Direct3D 9 on our dll
	@$(if $(SUITES),,echo "suites: set SUITES=<folder with Wine's sources>, see docs/conformance.md" >&2; exit 2)
	@BUILD=$(BUILD) PEER=$(PEER) ROOT=$(ROOT) VKD3D=$(VKD3D) scripts/suites.sh "$(SUITES)" $(foreach t,$(TESTS),'$(t)')
suites-table:
	@scripts/suites_table.py docs/conformance.md $(BUILD)/suites/ours.txt $(BUILD)/suites/peer.txt
.PHONY: suites suites-table
