/* Tree of events: passes, markers and draws; search, kinds, thumbnails. Only rows in sight exist. */
const KINDS = [["draw", "Draws"], ["clear", "Clears"], ["copy", "Copies"], ["mark", "Marks"]];

const Tree = {
  nodes: [], /* all, in order; a node is {key, depth, event?, pass?, parent, text, open, leaves} */
  shown: [],
  wanted: new Set(),
  closed: new Set(),
  chosen: null, /* key of a node */
  thumbs: false,

  start(onChoose) {
    this.onChoose = onChoose;
    this.rows = new Rows($("tree"), $("tree-space"), 26, (i) => this.row(i));
    for (const [kind, text] of KINDS) {
      const n = Frame.events.filter((e) => e.kind === kind).length;
      if (!n) continue;
      const b = button(text, "", () => {
        const on = !this.wanted.has(kind);
        on ? this.wanted.add(kind) : this.wanted.delete(kind);
        b.setAttribute("aria-pressed", String(on));
        this.filter();
      }, { "aria-pressed": "false" });
      b.append(make("b", String(n)));
      $("kinds").append(b);
    }
    $("kinds").hidden = $("kinds").children.length < 2;
    const markers = Frame.events.some((e) => e.kind === "begin");
    if (!markers) $("group").querySelector("[value=markers]").remove();
    $("search").addEventListener("input", () => this.filter());
    $("group").addEventListener("change", () => this.build());
    $("thumbs").addEventListener("click", () => this.setThumbs(!this.thumbs));
    $("tree").addEventListener("click", (e) => this.click(e));
    $("tree").addEventListener("keydown", (e) => this.press(e));
    this.build();
  },

  /* --- Nodes --- */

  build() {
    const order = $("group").value;
    this.nodes = [];
    this.roots = [];
    if (order === "passes" && Frame.passes.length) {
      const open = []; /* markers that have begun and go on */
      Frame.passes.forEach((pass, i) => {
        this.addPass(pass, i, open);
        for (const e of Frame.events.slice(pass.first, pass.last + 1))
          if (e.kind === "begin") open.push(e);
          else if (e.kind === "end") open.pop();
      });
    } else {
      this.addEvents(0, Frame.events.length - 1, null, 1, order === "markers", []);
    }
    this.filter();
  },

  add(node) {
    node.leaves = 0;
    node.inner = [];
    this.nodes.push(node);
    node.peers = node.parent ? node.parent.inner : this.roots;
    node.place = node.peers.push(node);
    if (node.event && node.event.kind !== "begin")
      for (let p = node.parent; p; p = p.parent) p.leaves++;
    return node;
  },

  addPass(pass, i, open) {
    const targets = (pass.targets || []).map((t) => `${t.slot}: ${Frame.resourceName(t.resource)}`).join(", ");
    const node = this.add({ key: `pass-${i}`, pass, depth: 1, parent: null, name: pass.what || `Pass ${i + 1}`, note: targets });
    node.words = `${node.name} ${targets}`.toLowerCase();
    this.addEvents(pass.first, pass.last, node, 2, true, open);
  },

  addEvents(first, last, parent, depth, markers, open) {
    const enter = (e, again) => {
      parent = this.add(this.eventNode(e, parent, depth++, again));
    };
    let up = 0;
    if (markers) for (const e of open) { enter(e, true); up++; }
    for (let i = first; i <= last; i++) {
      const e = Frame.events[i];
      if (e.kind === "begin") { if (markers) { enter(e, false); up++; } continue; }
      if (e.kind === "end") { if (markers && up) { parent = parent.parent; depth--; up--; } continue; }
      this.add(this.eventNode(e, parent, depth, false));
    }
  },

  eventNode(e, parent, depth, again) {
    const name = e.kind === "begin" || e.kind === "mark" ? e.what : e.what || e.name;
    const words = `${e.call} ${e.name} ${e.what} ${e.kind}`.toLowerCase();
    return { key: again ? `again-${e.call}-${this.nodes.length}` : `call-${e.call}`, event: e, depth, parent, words,
      name: name || e.name, again };
  },

  /* A node is shown if it or a node around it has all words, or one inside it. */
  filter() {
    const words = $("search").value.toLowerCase().split(/\s+/).filter(Boolean);
    const narrow = words.length > 0 || this.wanted.size > 0;
    const has = (n) => words.every((w) => n.words.includes(w));
    const kind = (n) => !this.wanted.size || (n.event && this.wanted.has(n.event.kind));
    for (const n of this.nodes) {
      n.hit = has(n) || !!n.parent?.hit;
      n.show = !n.inner.length && n.hit && kind(n) && (!narrow || !this.isGroup(n));
    }
    for (let i = this.nodes.length - 1; i >= 0; i--) {
      const n = this.nodes[i];
      if (n.inner.length) n.show = n.inner.some((c) => c.show) || (!narrow);
    }
    this.narrow = narrow;
    this.list();
  },

  isGroup(n) { return !!n.pass || n.event?.kind === "begin"; },

  list() {
    this.shown = this.nodes.filter((n) => {
      n.visible = n.show && (!n.parent || (n.parent.visible && (this.narrow || !this.closed.has(n.parent.key))));
      return n.visible;
    });
    const leaves = (list) => list.filter((n) => n.event && n.event.kind !== "begin").length;
    const all = leaves(this.nodes), now = leaves(this.nodes.filter((n) => n.show));
    $("count").textContent = now === all ? several(all, "event") : `${count(now)} of ${several(all, "event")}`;
    this.rows.set(this.shown.length);
    this.rows.draw();
  },

  /* --- Rows --- */

  row(i) {
    const n = this.shown[i], e = n.event, row = make("div", undefined, "row");
    const group = this.isGroup(n), open = group && (this.narrow || !this.closed.has(n.key));
    row.id = `row-${n.key}`;
    row.dataset.index = i;
    row.classList.toggle("group-row", group);
    for (const [k, v] of [["role", "treeitem"], ["aria-level", n.depth], ["aria-selected", n.key === this.chosen],
      ["aria-setsize", n.peers.length], ["aria-posinset", n.place]])
      row.setAttribute(k, String(v));
    if (group && n.inner.length) row.setAttribute("aria-expanded", String(open));
    row.style.paddingLeft = `${6 + 14 * (n.depth - 1)}px`;
    row.title = n.name;
    const fold = make("i", group && n.inner.length ? (open ? "▾" : "▸") : "", "fold");
    row.append(fold);
    const colour = this.colourOf(n);
    if (colour) row.style.borderLeftColor = colour;
    if (colour && (e?.kind === "begin" || e?.kind === "mark")) {
      const swatch = make("i", undefined, "swatch");
      swatch.style.background = colour;
      row.append(swatch);
    }
    if (this.thumbs) row.append(this.thumb(n));
    if (e && !group) row.append(make("small", String(e.call)));
    const name = make("b", n.name + (n.again ? " …" : ""));
    row.append(name);
    if (n.note) row.append(make("small", n.note, "note"));
    if (e && !group) row.dataset.kind = e.kind;
    const extra = group ? (n.leaves ? String(n.leaves) : "") : e.primitives && !n.name.startsWith(e.primitives) ? `${count(e.primitives)} △` : "";
    if (e?.failed) row.append(make("em", "failed", "failed"));
    if (e && !group && Candidate.differs(e.call)) {
      row.append(make("em", Candidate.data.first === e.call ? "≠ first" : "≠", "failed"));
      row.title = "the candidate's target differs";
    }
    if (extra) row.append(make("em", extra));
    return row;
  },

  /* The colour of a marker, or of the markers around a node; black stands for none. */
  colourOf(n) {
    for (; n; n = n.parent) {
      const colour = n.event?.colour;
      if (/^#[0-9a-fA-F]{6}$/.test(colour || "") && colour !== "#000000") return colour;
    }
    return null;
  },

  /* The picture of the first target after an event, or after the last event of a group. */
  thumb(n) {
    const box = make("span", undefined, "thumb");
    let last = n;
    while (last.inner.length) last = last.inner[last.inner.length - 1];
    if (last.event && last.event.kind !== "begin") Thumbs.put(box, `event/${last.event.call}`, (a) => a?.targets?.[0]?.after);
    return box;
  },

  setThumbs(on) {
    this.thumbs = on;
    $("thumbs").setAttribute("aria-pressed", String(on));
    this.rows.height = on ? 44 : 26;
    this.rows.set(this.shown.length);
    const at = this.shown.findIndex((n) => n.key === this.chosen);
    if (at >= 0) this.rows.reveal(at);
  },

  /* --- Choosing --- */

  click(e) {
    const row = e.target.closest(".row");
    if (!row) return;
    const n = this.shown[+row.dataset.index];
    if (e.target.classList.contains("fold") && n.inner.length) return this.fold(n, !this.closed.has(n.key));
    this.choose(n);
  },

  fold(n, closed) {
    closed ? this.closed.add(n.key) : this.closed.delete(n.key);
    this.list();
  },

  choose(n) {
    this.mark(n);
    const target = n.event && n.event.kind !== "begin" ? n.event : this.lastOf(n);
    if (target) this.onChoose(target.call);
  },

  /* A group stands for its last event. */
  lastOf(n) {
    for (let i = n.inner.length - 1; i >= 0; i--) {
      const e = this.isGroup(n.inner[i]) ? this.lastOf(n.inner[i]) : n.inner[i].event;
      if (e) return e;
    }
    return null;
  },

  mark(n) {
    this.chosen = n.key;
    const at = this.shown.indexOf(n);
    if (at >= 0) {
      this.rows.reveal(at);
      $("tree").setAttribute("aria-activedescendant", `row-${n.key}`);
    } else {
      $("tree").removeAttribute("aria-activedescendant");
    }
    this.rows.draw();
  },

  /* Marks the row of a call that was chosen elsewhere, and opens what is around it. */
  reveal(call) {
    const now = this.nodes.find((n) => n.key === this.chosen);
    if (now && this.isGroup(now) && this.lastOf(now)?.call === call) return;
    const n = this.nodes.find((m) => m.key === `call-${call}`);
    if (!n) return;
    let opened = false;
    for (let p = n.parent; p; p = p.parent) opened = this.closed.delete(p.key) || opened;
    if (opened) this.list();
    this.mark(n);
  },

  /* To the next or previous event that is shown. */
  step(by) {
    let at = this.shown.findIndex((n) => n.key === this.chosen);
    if (at < 0 && by < 0) at = this.shown.length;
    for (at += by; at >= 0 && at < this.shown.length; at += by)
      if (!this.isGroup(this.shown[at])) return this.choose(this.shown[at]);
  },

  press(e) {
    const at = this.shown.findIndex((n) => n.key === this.chosen), n = this.shown[at];
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: this.shown.length - 1,
      PageDown: Math.min(this.shown.length - 1, at + 15), PageUp: Math.max(0, at - 15) }[e.key];
    if (e.ctrlKey || e.metaKey || e.altKey) return;
    if (to !== undefined) {
      if (this.shown[to]) this.choose(this.shown[to]);
    } else if (e.key === "ArrowLeft" && n) {
      if (n.inner.length && !this.closed.has(n.key)) this.fold(n, true);
      else if (n.parent) this.choose(n.parent);
    } else if (e.key === "ArrowRight" && n) {
      if (n.inner.length && this.closed.has(n.key)) this.fold(n, false);
      else if (n.inner.length && this.shown[at + 1]) this.choose(this.shown[at + 1]);
    } else {
      return;
    }
    e.preventDefault();
    e.stopPropagation();
  },
};

/* Small pictures, loaded one after another while their rows are in sight. */
const Thumbs = {
  SIDE: 160, /* pixels */
  queue: [],
  running: 0,

  /* find: the PICTURE in the answer to the key. */
  put(box, key, find) {
    this.queue.push({ box, key, find });
    this.go();
  },

  async go() {
    if (this.running >= 2) return;
    const job = this.queue.pop(); /* the newest first */
    if (!job) return;
    this.running++;
    /* The row is in the page after it was made. */
    await new Promise((done) => setTimeout(done, 0));
    if (job.box.isConnected) {
      const picture = job.find(await Data.ask(job.key).catch(() => null));
      const image = await this.imageOf(picture).catch(() => null);
      if (image) job.box.replaceChildren(image);
    }
    this.running--;
    this.go();
  },

  /* Colours without alpha: an image element would leave out what has alpha 0. */
  async imageOf(picture) {
    const file = imageFile(picture?.file);
    if (!file) return null;
    return picture.min && !(picture.min[3] >= 1) ? this.opaque(file) : this.plain(file);
  },

  plain(file) {
    const image = make("img");
    image.alt = "";
    image.loading = "lazy";
    image.src = file + QUERY;
    image.onerror = () => image.remove();
    return image;
  },

  async opaque(file) {
    const bytes = await Decoded.bytes(file), read = bytes && await decodePicture(bytes);
    if (!read) return this.plain(file);
    const { width, height, data } = read, scale = Math.min(1, this.SIDE / Math.max(width, height));
    const small = canvasOf(Math.max(1, Math.round(width * scale)), Math.max(1, Math.round(height * scale)));
    for (let i = 3; i < data.length; i += 4) data[i] = 255;
    const whole = canvasOf(width, height);
    whole.getContext("2d").putImageData(new ImageData(new Uint8ClampedArray(data.buffer, data.byteOffset, data.length), width, height), 0, 0);
    small.getContext("2d").drawImage(whole, 0, 0, small.width, small.height);
    small.setAttribute("aria-hidden", "true");
    return small;
  },
};
