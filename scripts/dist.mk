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
release_part = $(word $(1),$(subst ., ,$(VERSION)))
WINDRES_win64 := x86_64-w64-mingw32-windres
WINDRES_win32 := i686-w64-mingw32-windres
define resource_rule
$$(DIR_$(1))/obj/dll_version.o: scripts/dll_version.rc VERSION
	@mkdir -p $$(@D)
	$$(Q)$$(WINDRES_$(1)) -DNOVEM_MAJOR=$(call release_part,1) -DNOVEM_MINOR=$(call release_part,2) \
	    -DNOVEM_PATCH=$(call release_part,3) -DNOVEM_TEXT='\"$(VERSION)\"' $$< $$@
endef
$(foreach p,win64 win32,$(eval $(call resource_rule,$(p))))

# Archives of a release. The program has static copies of all libraries but glibc and cJSON, which Debian has no static
# one of; the archive holds that. Without unused sections it needs glibc 2.35 instead of 2.36 (arc4random of libstdc++).
STATIC_LIBS := -l:libbrotlidec.a -l:libbrotlicommon.a -l:libzstd.a -l:libz.a -l:libsnappy.a -l:libdeflate.a -lcjson \
    -l:libstdc++.a -lm
DIST_STAGE = $(BUILD)/dist/stage
DIST_ROOT = $(DIST_STAGE)/novem-$(VERSION)-x86_64
$(BUILD)/dist/novem: $(call libs,native,$(call reverse,$(FOLDERS)))
	@mkdir -p $(@D)
	$(Q)$(CC) -pthread -static-libgcc -o $@ -Wl,--start-group $^ -Wl,--end-group $(STATIC_LIBS) \
	    -Wl,-rpath,'$$ORIGIN/../lib' -Wl,-s -Wl,--gc-sections
DIST_NEEDS := native pe examples examples-pe $(DIR_win64)/conformance/runner.exe $(BUILD)/dist/novem
dist: $(DIST_NEEDS) ## pack the archives of a release into build/dist
	@rm -rf $(DIST_STAGE)
	@$(MAKE) --no-print-directory install DESTDIR=$(abspath $(DIST_STAGE)) PREFIX=/novem-$(VERSION)-x86_64 >/dev/null
	@install -m 755 $(BUILD)/dist/novem $(DIST_ROOT)/bin/novem
	@install -m 644 $$(ldd $(BUILD)/dist/novem | awk '/libcjson/ {print $$3}') $(DIST_ROOT)/lib/
	@scripts/dist.sh $(BUILD) $(DIST_STAGE)
.PHONY: dist
