# What a release is made of.

# The commit that `novem --version` names, if git knows it. Another commit compiles one file.
COMMIT := $(shell git rev-parse --short=12 HEAD 2>/dev/null)
COMMIT_FILE := $(BUILD)/commit
ifneq ($(COMMIT),$(shell cat $(COMMIT_FILE) 2>/dev/null))
$(COMMIT_FILE): FORCE
endif
$(COMMIT_FILE):
	@mkdir -p $(@D)
	@echo '$(COMMIT)' >$@
$(BUILD)/obj/tool/help/version.o: override CFLAGS += -DNOVEM_COMMIT='"$(COMMIT)"'
$(BUILD)/obj/tool/help/version.o: $(COMMIT_FILE)
