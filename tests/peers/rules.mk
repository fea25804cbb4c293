# Compares our assembler with that of d3dcompiler_47.dll under Wine, and runs its compiler's output through
# our disassembler and validator: see peers.md.
#   make peers

PEERS := $(BUILD)/peers

$(PEERS)/corpus: tests/peers/corpus.c tests/unit/vm/corpus.h $(call libs,native,vm ir util)
	@mkdir -p $(@D)
	$(Q)$(COMPILE_native) $< -o $@ $(call libs,native,vm ir util) -lm -MF $@.d
$(PEERS)/assemble.exe: PLAT := win64
$(PEERS)/assemble.exe: tests/peers/assemble.c | $(SYSINC)/stamp
	@mkdir -p $(@D)
	$(Q)$(LD_win64) $(STD) $(CFLAGS) $(WARN) -static -o $@ $<

peers: $(PEERS)/corpus $(PEERS)/assemble.exe
	@tests/peers/run.sh $(PEERS) $(sort $(wildcard bench/shaders/*.asm))
.PHONY: peers
