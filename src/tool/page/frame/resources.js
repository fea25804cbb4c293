/* Resources of the frame: who wrote and who read each. */
const Resources = {
  id: "resources", text: "Resources", key: "r", frame: true,
  chosen: null,
  sorted: ["id", 1],
  COLUMNS: [["id", "id", "n"], ["kind", "kind"], ["format", "format"], ["size", "size", "n"], ["levels", "levels", "n"],
    ["usage", "usage"], ["pool", "pool"], ["bytes", "bytes", "n"], ["writes", "written", "n"], ["reads", "read", "n"]],

  start(panel) {
    this.kind = select("Kind of resource", [["", "all kinds"], ...[...new Set(Frame.data_resources.map((r) => r.kind))].map((k) => [k, k])], "", () => this.show());
    this.used = button("Used in the frame", "", (b) => {
      b.setAttribute("aria-pressed", String(b.getAttribute("aria-pressed") !== "true"));
      this.show();
    }, { "aria-pressed": "true" });
    this.search = searchBox("Show resources whose text has these words", () => this.show());
    this.count = make("span", "", "quiet");
    this.box = scrolling("Resources", make("span"));
    this.detail = make("div");
    panel.append(toolbar("Resources", this.kind, this.used, this.search, this.count), this.box, this.detail);
  },

  has: () => Frame.data_resources.length > 0,

  open() { this.show(); },

  value(r, key) {
    if (key === "size") return (r.width || 0) * (r.height || 1) * (r.depth || 1);
    return Array.isArray(r[key]) ? r[key].length : r[key] ?? "";
  },

  show() {
    const words = wordsOf(this.search), used = this.used.getAttribute("aria-pressed") === "true";
    const list = Frame.data_resources.filter((r) => (!this.kind.value || r.kind === this.kind.value) &&
      (!used || r.writes?.length || r.reads?.length) &&
      words.every((w) => [r.id, r.kind, r.format, r.usage, r.pool, r.width, r.height].join(" ").toLowerCase().includes(w)));
    this.count.textContent = several(list.length, "resource");
    const show = (r, key) => (key === "id" ? this.link(r.id) : key === "size" ? this.size(r) : key === "bytes" ? bytesText(r.bytes || 0) :
      Array.isArray(r[key]) ? count(r[key].length) : String(r[key] ?? ""));
    const t = sortable(this.COLUMNS, list, this, (r, key) => this.value(r, key), show, (r) => r.id === this.chosen);
    this.box.replaceChildren(t);
    this.showDetail();
  },

  size(r) {
    if (r.kind === "buffer" || r.kind === "indices") return "";
    return [r.width, r.height, r.kind === "volume" ? r.depth : null].filter(Boolean).join("×") + (r.samples > 1 ? ` ${r.samples} samples` : "");
  },

  link(id) {
    if (!Frame.resources.has(id)) return String(id);
    return button(String(id), Frame.resourceName(id), () => this.choose(id), { class: "link" });
  },

  choose(id) {
    this.chosen = id;
    if (Page.tab !== "resources") Page.setTab("resources");
    else this.show();
    this.detail.scrollIntoView({ block: "nearest" });
  },

  showDetail() {
    const r = Frame.resources.get(this.chosen);
    if (!r) return this.detail.replaceChildren();
    const facts = make("table"), lists = ["writes", "reads"].filter((k) => r[k]?.length);
    table(facts, [["Kind", r.kind], ["Format", r.format], ["Size", this.size(r)], ["Levels", r.levels], ["Usage", r.usage],
      ["Pool", r.pool], ["Bytes", r.bytes === undefined ? "" : bytesText(r.bytes)]]);
    const parts = [facts];
    if (/^(texture|cube|volume|surface|depth)$/.test(r.kind)) parts.push(button("Show its picture", "", () => Textures.choose(r.id)));
    this.detail.className = "cards";
    this.detail.replaceChildren(card(Frame.resourceName(r.id), ...parts), ...lists.map((k) =>
      card(k === "writes" ? "Written by" : "Read by", eventLinks(r[k].map((u) => u.call), r[k].map((u) => `${u.how} ${u.call}`)))));
  },
};

/* A table that sorts by a click on a column's head. owner.sorted: [column, 1 or -1]; owner.show() redraws.
 * columns: [key, text, class]. */
function sortable(columns, list, owner, value, show, isChosen) {
  const [by, direction] = owner.sorted;
  const rows = [...list].sort((a, b) => {
    const p = value(a, by), q = value(b, by);
    return direction * (p < q ? -1 : p > q ? 1 : 0);
  });
  const most = 500, t = grid(columns.map(([, text, cls]) => [text, cls]), []);
  const fill = (from, to) => {
    for (const r of rows.slice(from, to)) {
      const row = gridRow(columns.map(([, , cls]) => ["", cls]), columns.map(([key]) => show(r, key)));
      if (isChosen(r)) row.className = "chosen";
      t.tBodies[0].append(row);
    }
    if (to < rows.length) {
      const row = gridRow([], [button(`${rows.length - to} more`, "", () => { row.remove(); fill(to, to + most); })]);
      row.cells[0].colSpan = columns.length;
      t.tBodies[0].append(row);
    }
  };
  [...t.tHead.rows[0].cells].forEach((th, i) => {
    const [key, text] = columns[i], on = key === by;
    th.setAttribute("aria-sort", on ? (direction > 0 ? "ascending" : "descending") : "none");
    th.replaceChildren(button(text + (on ? (direction > 0 ? " ▴" : " ▾") : ""), "Sort", () => {
      owner.sorted = [key, on ? -direction : columns[i][2] === "n" && key !== "id" && key !== "call" ? -1 : 1];
      owner.show();
      owner.box.querySelectorAll("th button")[i]?.focus();
    }, { class: "head" }));
  });
  fill(0, most);
  return t;
}
