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

# The version resource of the dlls, which Windows shows among a file's properties.
RELEASE := $(shell cat VERSION)
release_part = $(word $(1),$(subst ., ,$(RELEASE)))
WINDRES_win64 := x86_64-w64-mingw32-windres
WINDRES_win32 := i686-w64-mingw32-windres
define resource_rule
$$(DIR_$(1))/obj/dll_version.o: scripts/dll_version.rc VERSION
	@mkdir -p $$(@D)
	$$(Q)$$(WINDRES_$(1)) -DNOVEM_MAJOR=$(call release_part,1) -DNOVEM_MINOR=$(call release_part,2) \
	    -DNOVEM_PATCH=$(call release_part,3) -DNOVEM_TEXT='\"$(RELEASE)\"' $$< $$@
endef
$(foreach p,win64 win32,$(eval $(call resource_rule,$(p))))
