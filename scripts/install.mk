# Installation to DESTDIR and PREFIX: programs and libraries are stripped. The Makefile includes this file last.
#
#   make install           the native part, and the Windows part if it has been built
#   make install-windows   both parts
#   make uninstall         removes what `make install` with the same variables installed
#
# One variable for each folder lists its files. Other rules add files with += before this file is included.
PREFIX     ?= $(or $(prefix),/usr/local)
BINDIR     ?= $(or $(bindir),$(PREFIX)/bin)
LIBDIR     ?= $(or $(libdir),$(PREFIX)/lib)
PKGLIBDIR  ?= $(LIBDIR)/novem
INCLUDEDIR ?= $(or $(includedir),$(PREFIX)/include)
DATADIR    ?= $(or $(datadir),$(PREFIX)/share)
MANDIR     ?= $(or $(mandir),$(DATADIR)/man)
DOCDIR     ?= $(or $(docdir),$(DATADIR)/doc/novem)
# The prefix that novem.pc states. A package that is unpacked anywhere sets it to $${pcfiledir}/../..
PC_PREFIX  ?= $(PREFIX)
STRIP      ?= strip
# These write a date into the file, too.
STRIP_win64 ?= SOURCE_DATE_EPOCH=0 x86_64-w64-mingw32-strip
STRIP_win32 ?= SOURCE_DATE_EPOCH=0 i686-w64-mingw32-strip
LIB_REAL   := $(LIB_SONAME).$(VERSION)
STAGE      := $(BUILD)/install

INSTALL_BIN     += $(BUILD)/novem $(PROGRAMS_native)
INSTALL_SO      := $(BUILD)/libnovem.so
INSTALL_INCLUDE += src/api/novem/novem.h src/present/shared/novem_frames.h src/api/native/windows.h \
    src/api/native/objbase.h $(addprefix $(D3D9_HEADERS)/,d3d9.h d3d9types.h d3d9caps.h pshpack4.h poppack.h)
INSTALL_DOC     += LICENSE $(STAGE)/NOTICES $(STAGE)/novem.conf
INSTALL_MAN1    += $(STAGE)/novem.1 scripts/install/novem-retrace.1 scripts/install/novem-runner.1
INSTALL_BASH    += $(STAGE)/bash/novem
INSTALL_ZSH     += $(STAGE)/zsh/_novem
INSTALL_FISH    += $(STAGE)/fish/novem.fish
# Dlls and programs for Windows. A program beside Novem's dll would use it, so programs have a folder of their own.
INSTALL_WIN64   += $(DIR_win64)/d3d9.dll
INSTALL_WIN32   += $(DIR_win32)/d3d9.dll
INSTALL_WIN64_BIN += $(PROGRAMS_win64)
INSTALL_WIN32_BIN += $(PROGRAMS_win32)

INSTALL_FOLDERS := BIN INCLUDE DOC MAN1 BASH ZSH FISH WIN64 WIN32 WIN64_BIN WIN32_BIN
TO_BIN     := $(BINDIR)
TO_INCLUDE := $(INCLUDEDIR)/novem
TO_DOC     := $(DOCDIR)
TO_MAN1    := $(MANDIR)/man1
TO_BASH    := $(DATADIR)/bash-completion/completions
TO_ZSH     := $(DATADIR)/zsh/site-functions
TO_FISH    := $(DATADIR)/fish/vendor_completions.d
TO_WIN64   := $(PKGLIBDIR)/win64
TO_WIN32   := $(PKGLIBDIR)/win32
TO_WIN64_BIN := $(TO_WIN64)/bin
TO_WIN32_BIN := $(TO_WIN32)/bin
TO_LIB     := $(LIBDIR)
TO_PC      := $(LIBDIR)/pkgconfig
TO_CMAKE   := $(LIBDIR)/cmake/novem
CMAKE_FILES := novem-config.cmake novem-config-version.cmake

# The whole library as one object, so that its internal names cannot collide with those of a program.
$(STAGE)/libnovem.a: src/api/libnovem.map $(foreach f,$(DLL_FOLDERS),$(OBJ_native_$(f)))
	@mkdir -p $(@D)
	@sed -n '/global:/,/local:/s/^ *\([A-Za-z0-9_*]*\);$$/\1/p' $< >$(@D)/exports
	$(Q)$(CC) -r -nostdlib -o $(@D)/novem.o $(filter %.o,$^)
	@objcopy --wildcard --keep-global-symbols=$(@D)/exports --strip-debug $(@D)/novem.o
	@rm -f $@
	@$(AR_native) rcs $@ $(@D)/novem.o
$(STAGE)/NOTICES: scripts/install/notices.sh
	@mkdir -p $(@D)
	@$< >$@.tmp && mv $@.tmp $@
$(STAGE)/novem.1: $(BUILD)/novem
	@mkdir -p $(@D)
	@$< help --man >$@.tmp && mv $@.tmp $@
$(STAGE)/bash/novem $(STAGE)/zsh/_novem $(STAGE)/fish/novem.fish: $(BUILD)/novem
	@mkdir -p $(@D)
	@$< help --completion $(notdir $(@D)) >$@.tmp && mv $@.tmp $@
$(STAGE)/novem.conf: $(BUILD)/novem
	@mkdir -p $(@D)
	@$< config --sample >$@.tmp && mv $@.tmp $@

# $(call put,MODE,FOLDER,FILES)
put = $(if $(strip $(3)),@install -d "$(DESTDIR)$(2)" && install -m $(1) $(3) "$(DESTDIR)$(2)/")
# $(call fill,NAME): replaces the variables of scripts/install/NAME.in.
fill = sed -e 's|@VERSION@|$(VERSION)|' -e 's|@PREFIX@|$(PC_PREFIX)|' \
    -e 's|@LIBDIR@|$(patsubst $(PREFIX)/%,$${prefix}/%,$(LIBDIR))|' \
    -e 's|@INCLUDEDIR@|$(patsubst $(PREFIX)/%,$${prefix}/%,$(INCLUDEDIR))|' \
    -e "s|@CMAKE_LIBDIR@|$$(realpath -m --relative-to="$(TO_CMAKE)" "$(LIBDIR)")|" \
    -e "s|@CMAKE_INCLUDEDIR@|$$(realpath -m --relative-to="$(TO_CMAKE)" "$(INCLUDEDIR)")|" \
    -e 's|@SONAME@|$(LIB_SONAME)|' -e 's|@REAL@|$(LIB_REAL)|' scripts/install/$(1).in

WINDOWS_BUILT := $(and $(wildcard $(DIR_win64)/d3d9.dll),$(wildcard $(DIR_win32)/d3d9.dll))
install: install-native $(if $(WINDOWS_BUILT),install-windows) ## install to PREFIX; the Windows part if it is built
ifeq ($(WINDOWS_BUILT),)
	@echo 'make install: without the Windows part, which is not built (make install-windows)'
endif
ifeq ($(DESTDIR),)
	@[ "$$(id -u)" -ne 0 ] || ldconfig
endif

install-native: $(INSTALL_SO) $(STAGE)/libnovem.a \
    $(foreach f,$(filter-out WIN%,$(INSTALL_FOLDERS)),$(INSTALL_$(f)))
	$(call put,755,$(TO_BIN),$(INSTALL_BIN))
	@cd "$(DESTDIR)$(TO_BIN)" && $(STRIP) $(notdir $(INSTALL_BIN))
	$(call put,644,$(TO_INCLUDE),$(INSTALL_INCLUDE))
	$(call put,644,$(TO_DOC),$(INSTALL_DOC))
	$(call put,644,$(TO_MAN1),$(INSTALL_MAN1))
	$(call put,644,$(TO_BASH),$(INSTALL_BASH))
	$(call put,644,$(TO_ZSH),$(INSTALL_ZSH))
	$(call put,644,$(TO_FISH),$(INSTALL_FISH))
	$(call put,644,$(TO_LIB),$(STAGE)/libnovem.a)
	@install -m 755 $(INSTALL_SO) "$(DESTDIR)$(LIBDIR)/$(LIB_REAL)"
	@$(STRIP) --strip-unneeded "$(DESTDIR)$(LIBDIR)/$(LIB_REAL)"
	@ln -sfn $(LIB_REAL) "$(DESTDIR)$(LIBDIR)/$(LIB_SONAME)"
	@ln -sfn $(LIB_SONAME) "$(DESTDIR)$(LIBDIR)/libnovem.so"
	@install -d "$(DESTDIR)$(TO_PC)" "$(DESTDIR)$(TO_CMAKE)"
	@$(call fill,novem.pc) >"$(DESTDIR)$(TO_PC)/novem.pc"
	@$(foreach f,$(CMAKE_FILES),$(call fill,$(f)) >"$(DESTDIR)$(TO_CMAKE)/$(f)" &&) true
	@echo "installed to $(DESTDIR)$(PREFIX)"

install-windows: install-native $(foreach f,$(filter WIN%,$(INSTALL_FOLDERS)),$(INSTALL_$(f))) ## install the native and the Windows part
	$(call put,644,$(TO_WIN64),$(INSTALL_WIN64))
	$(call put,644,$(TO_WIN32),$(INSTALL_WIN32))
	$(call put,755,$(TO_WIN64_BIN),$(INSTALL_WIN64_BIN))
	$(call put,755,$(TO_WIN32_BIN),$(INSTALL_WIN32_BIN))
	@cd "$(DESTDIR)$(TO_WIN64)" && \
	    $(STRIP_win64) $(notdir $(INSTALL_WIN64)) $(addprefix bin/,$(notdir $(INSTALL_WIN64_BIN)))
	@cd "$(DESTDIR)$(TO_WIN32)" && \
	    $(STRIP_win32) $(notdir $(INSTALL_WIN32)) $(addprefix bin/,$(notdir $(INSTALL_WIN32_BIN)))

uninstall: ## remove what make install installed
	@$(foreach f,$(INSTALL_FOLDERS),$(foreach n,$(notdir $(INSTALL_$(f))),rm -f "$(DESTDIR)$(TO_$(f))/$(n)" &&)) true
	@rm -f $(foreach f,libnovem.a libnovem.so $(LIB_SONAME) $(LIB_REAL) pkgconfig/novem.pc,"$(DESTDIR)$(LIBDIR)/$(f)")
	@rm -f $(CMAKE_FILES:%="$(DESTDIR)$(TO_CMAKE)/%")
	@-for f in "$(TO_CMAKE)" "$(TO_WIN64_BIN)" "$(TO_WIN32_BIN)" "$(TO_WIN64)" "$(TO_WIN32)" "$(PKGLIBDIR)" "$(TO_INCLUDE)" "$(DOCDIR)"; do \
	    [ ! -d "$(DESTDIR)$$f" ] || rmdir --ignore-fail-on-non-empty "$(DESTDIR)$$f"; done

check-install: $(BUILD)/libnovem.so $(BUILD)/novem ## install to a folder, build and run C, C++ and CMake programs
	@tests/install/check.sh $(BUILD)

.PHONY: install install-native install-windows uninstall check-install
