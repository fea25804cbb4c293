# Runs Wine's public Direct3D 9 tests on our d3d9.dll: see docs/conformance.md.
#   make suites SUITES=folder-with-wine's-sources [TESTS="visual.*fog* device.test_lights"] [PEER=1]

suites: $(DIR_win64)/d3d9.dll ## run Wine's public tests of Direct3D 9 on our dll
	@$(if $(SUITES),,echo "suites: set SUITES=<folder with Wine's sources>, see docs/conformance.md" >&2; exit 2)
	@BUILD=$(BUILD) PEER=$(PEER) scripts/suites.sh "$(SUITES)" $(foreach t,$(TESTS),'$(t)')
.PHONY: suites
