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
VERSION_COMMANDS := $(foreach p,$(PLATFORMS) $(PLATFORMS_macos),$(DIR_$(p))/obj/tool/help/version.o)
$(VERSION_COMMANDS): override CFLAGS += -DNOVEM_COMMIT='"$(COMMIT)"'
$(VERSION_COMMANDS): $(COMMIT_FILE)

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
WINDRES_winarm64 := llvm-windres-19 --target=aarch64-w64-mingw32
$(foreach p,win64 win32 winarm64,$(eval $(call resource_rule,$(p))))

# Archives of a release. Its native files are linked again: for an older glibc than this machine's, and with static
# copies of all other libraries but cJSON, which Debian has no static one of; the archive holds that.
GLIBC := 2.27
DIST := $(BUILD)/dist
GLIBC_STUBS := $(DIST)/glibc/libc.so
$(GLIBC_STUBS): $(addprefix scripts/dist/,glibc_stubs.sh glibc_compat.c glibc_start.c) scripts/dist.mk
	@rm -rf $(@D)
	@scripts/dist/glibc_stubs.sh $(GLIBC) $(firstword $(filter-out ccache,$(CC))) $(@D)
DIST_LINK = $(CC) -pthread -L$(DIST)/glibc -Wl,--allow-shlib-undefined -Wl,-s -Wl,--gc-sections
DIST_PROGRAM = $(DIST_LINK) -Wl,--wrap=__libc_start_main
# The C++ runtime unwinds with the system's libgcc_s; the static one needs glibc 2.35.
STATIC_LIBS := -l:libbrotlidec.a -l:libbrotlicommon.a -l:libzstd.a -l:libz.a -l:libsnappy.a -l:libdeflate.a \
    -Wl,--push-state,--as-needed -lcjson -Wl,--pop-state -l:libstdc++.a -lm -shared-libgcc
$(DIST)/bin/novem: $(call libs,native,$(call reverse,$(FOLDERS))) $(GLIBC_STUBS)
	@mkdir -p $(@D)
	$(Q)$(DIST_PROGRAM) -o $@ -Wl,--start-group $(filter %.a,$^) -Wl,--end-group $(STATIC_LIBS) \
	    -Wl,-rpath,'$$ORIGIN/../lib'
$(DIST)/bin/novem-retrace: $(OBJ_native_retrace) $(call libs,native,$(RETRACE_FOLDERS)) $(GLIBC_STUBS)
	@mkdir -p $(@D)
	$(Q)$(DIST_PROGRAM) -o $@ $(filter %.o,$^) -Wl,--start-group $(filter %.a,$^) -Wl,--end-group $(STATIC_LIBS)
$(DIST)/bin/novem-runner: $(OBJ_native_conformance) $(OBJ_native_loader) $(call libs,native,present vm ir util) \
    $(GLIBC_STUBS)
	@mkdir -p $(@D)
	$(Q)$(DIST_PROGRAM) -o $@ $(filter %.o,$^) -Wl,--start-group $(filter %.a,$^) -Wl,--end-group -lm
$(DIST)/libnovem.so: src/api/libnovem.map $(foreach f,$(DLL_FOLDERS),$(OBJ_native_$(f))) $(GLIBC_STUBS)
	$(Q)$(DIST_LINK) -shared -Wl,-soname,$(LIB_SONAME) -Wl,--version-script=$< -o $@ \
	    $(filter %.o,$^) -lm
$(EXAMPLES:%=$(DIST)/examples/%): $(DIST)/examples/%: $(BUILD)/obj/examples/%.o $(EXAMPLE_OBJ_native) \
    $(BUILD)/libnovem.a $(GLIBC_STUBS)
	@mkdir -p $(@D)
	$(Q)$(DIST_PROGRAM) -o $@ $(filter %.o %/libnovem.a,$^) -lm
DIST_NATIVE := $(addprefix $(DIST)/bin/,novem novem-retrace novem-runner) $(DIST)/libnovem.so \
    $(EXAMPLES:%=$(DIST)/examples/%)
dist-native: $(DIST_NATIVE)

DIST_STAGE = $(DIST)/stage
DIST_NAME = novem-$(VERSION)-$(ARCH)
# Programs for other systems, if zig is there to link them.
DIST_OTHER := $(if $(ZIG),$(BUILD)/win64/novem.exe $(BUILD)/winarm64/novem.exe $(BUILD)/winarm64/d3d9.dll \
    $(BUILD)/musl64/novem $(BUILD)/muslarm64/novem) $(if $(MACOS_TOOLS),$(MACOS_FILES))
DIST_NEEDS := native pe examples-pe dist-native $(DIST_OTHER)
dist: $(DIST_NEEDS) ## pack the archives of a release into build/dist
	@rm -rf $(DIST_STAGE)
	@$(MAKE) --no-print-directory install DESTDIR=$(abspath $(DIST_STAGE)) PREFIX=/$(DIST_NAME) \
	    PC_PREFIX='$${pcfiledir}/../..' INSTALL_BIN="$(filter $(DIST)/bin/%,$(DIST_NATIVE))" \
	    INSTALL_SO=$(DIST)/libnovem.so >/dev/null
	@install -m 644 $$(ldd $(DIST)/bin/novem | awk '/libcjson/ {print $$3}') $(DIST_STAGE)/$(DIST_NAME)/lib/
	@scripts/dist.sh $(BUILD) $(DIST_STAGE) $(DIST_NAME) $(ZIG)

# The packages are built from a copy of the files, because dpkg-buildpackage writes to the folder above it.
DEB := $(DIST)/deb
deb: ## build Debian packages into build/dist/deb
	@scripts/setup.sh --deb
	@rm -rf $(DEB) && mkdir -p $(DEB)/novem
	@tar --exclude=./build --exclude=./frames --exclude=./golden-out --exclude=./.git -cf - . | tar -xf - -C $(DEB)/novem
	@cd $(DEB)/novem && env -u MAKEFLAGS -u MAKELEVEL -u WERROR dpkg-buildpackage -us -uc -b
	@rm -rf $(DEB)/novem
	@ls $(DEB)
.PHONY: dist dist-native deb
