# Tests of windows, the desktop and the loader: Windows programs for any d3d9.dll.
#   make windows                runs them with our 64-bit d3d9.dll under Wine
#   make windows ROOT=folder    with both dlls, under the newer Wine of a Debian that is installed there (as root); also
#                               novem-retrace.exe and runner.exe of 32 bit
#   make windows-peer           shows what Wine's own d3d9 makes of those about Direct3D 9 (docs/windows.md)

define windows_rule
WINDOWS_BIN_$(1) := $(patsubst tests/%.c,$(DIR_$(1))/%.exe,$(wildcard tests/windows/test_*.c))
$$(WINDOWS_BIN_$(1)): PLAT := $(1)
$$(WINDOWS_BIN_$(1)): $(DIR_$(1))/windows/%.exe: tests/windows/%.c tests/portable/check.h tests/check_main.h \
    tests/windows/show.h tests/windows/managed.h | $(SYSINC)/stamp $(DIR_$(1))/windows/late.dll
	@mkdir -p $$(@D)
	$$(Q)$$(PROGRAM_$(1)) -Itests/portable -Itests -static $$< -o $$@ -ld3d9 -lgdi32 -luser32 -MF $$@.d
$(DIR_$(1))/windows/late.dll: PLAT := $(1)
$(DIR_$(1))/windows/late.dll: tests/windows/late.c | $(SYSINC)/stamp
	@mkdir -p $$(@D)
	$$(Q)$$(PROGRAM_$(1)) -shared -static $$< -o $$@ -luser32 -MF $$@.d
endef
$(foreach p,win64 win32,$(eval $(call windows_rule,$(p))))
WINDOWS_BIN := $(WINDOWS_BIN_win64)

# $(call run_windows,<platform>): its tests with its dll, in ROOT if set.
run_windows = bad=0; for t in $(WINDOWS_BIN_$(1)); do echo "$$t:"; \
    $(if $(ROOT),scripts/wine_root.sh $(ROOT)) tests/windows/desktop.sh $$t $(DIR_$(1))/d3d9.dll || bad=1; done; \
    exit $$bad
windows: $(WINDOWS_BIN) $(DIR_win64)/d3d9.dll \
    $(if $(ROOT),$(WINDOWS_BIN_win32) $(DIR_win32)/d3d9.dll $(PROGRAMS_win32) $(BUILD)/novem)
	@$(call run_windows,win64)
	@$(if $(ROOT),$(call run_windows,win32))
	@$(if $(ROOT),tests/tool/retrace.sh $(BUILD) wine32 $(ROOT))
# The others are about settings of Novem.
windows-peer: $(WINDOWS_BIN)
	@for t in cursor dc fullscreen limit pacing relocated shared; do echo "$$t:"; \
	    tests/windows/desktop.sh $(DIR_win64)/windows/test_$$t.exe || true; done
.PHONY: windows windows-peer
-include $(addsuffix .d,$(WINDOWS_BIN_win64) $(WINDOWS_BIN_win32))
