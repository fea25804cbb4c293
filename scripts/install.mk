# Installation to DESTDIR and PREFIX.

PREFIX ?= /usr/local
install: native pe ## install to PREFIX (default /usr/local)
	install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/lib/novem/win64 $(DESTDIR)$(PREFIX)/lib/novem/win32
	install -m 755 $(BUILD)/novem $(DESTDIR)$(PREFIX)/bin/
	install -d $(DESTDIR)$(PREFIX)/include
	install -m 644 src/present/shared/novem_frames.h $(DESTDIR)$(PREFIX)/include/
	install -m 755 $(BUILD)/libnovem.so $(DESTDIR)$(PREFIX)/lib/
	install -m 644 $(BUILD)/libnovem.a $(DESTDIR)$(PREFIX)/lib/
	install -m 755 $(DIR_win64)/d3d9.dll $(DESTDIR)$(PREFIX)/lib/novem/win64/
	install -m 755 $(DIR_win32)/d3d9.dll $(DESTDIR)$(PREFIX)/lib/novem/win32/
.PHONY: install
