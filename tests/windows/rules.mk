# Tests of windows and the desktop: Windows programs for any d3d9.dll.
#   make windows            runs them with ours under Wine
#   make windows-peer       runs them with Wine's own d3d9

WINDOWS_BIN := $(patsubst tests/%.c,$(DIR_win64)/%.exe,$(wildcard tests/windows/test_*.c))
$(WINDOWS_BIN): PLAT := win64
$(WINDOWS_BIN): $(DIR_win64)/windows/%.exe: tests/windows/%.c tests/portable/check.h tests/check_main.h | $(SYSINC)/stamp
	@mkdir -p $(@D)
	$(Q)$(PROGRAM_win64) -Itests/portable -Itests -static $< -o $@ -ld3d9 -lgdi32 -luser32 -MF $@.d

windows: $(WINDOWS_BIN) $(DIR_win64)/d3d9.dll
	@for t in $(WINDOWS_BIN); do tests/windows/desktop.sh $$t $(DIR_win64)/d3d9.dll || exit; done
windows-peer: $(WINDOWS_BIN)
	@for t in $(WINDOWS_BIN); do tests/windows/desktop.sh $$t || exit; done
.PHONY: windows windows-peer
-include $(WINDOWS_BIN:%=%.d)
