/* State of an event with what changed, and constants with names; the call with its arguments. */
const Call = {
  id: "call", text: "Call", key: "l",

  start(panel) { this.panel = panel; },

  has: (event) => [event.arguments, event.streams, event.declaration].some((a) => a?.length),

  open(event) {
    const parts = [];
    if (event.arguments?.length) {
      const t = make("table");
      table(t, event.arguments);
      parts.push(card(event.name, t));
      parts[0].firstChild.className = "as-is";
    }
    if (event.streams?.length)
      parts.push(card("Streams", grid([["stream"], ["buffer"], ["offset", "n"], ["stride", "n"], ["frequency"]],
        event.streams.map((s) => [String(s.stream), Resources.link(s.resource), count(s.offset), count(s.stride), String(s.frequency ?? "")]))));
    if (event.indices)
      parts.push(card("Indices", grid([["buffer"], ["format"]], [[Resources.link(event.indices.resource), event.indices.format || ""]])));
    if (event.declaration?.length)
      parts.push(card("Vertex declaration", scrolling("Vertex declaration", grid([["stream"], ["offset", "n"], ["type"], ["method"], ["usage"], ["index", "n"]],
        event.declaration.map((d) => [d.stream, d.offset, d.type, d.method, d.usage, d.index].map((v) => String(v ?? "")))))));
    const box = make("div", undefined, "cards wide");
    box.append(...parts);
    this.panel.replaceChildren(box);
  },
};

const State = {
  id: "state", text: "State", key: "s",

  start(panel) {
    this.filter = choice("States", [], "changed", (v) => { this.wanted = v; this.show(); });
    this.search = searchBox("Show states whose name or value has these words", () => this.show());
    this.groups = make("div", undefined, "cards");
    this.none = make("p", "", "none");
    panel.append(toolbar("States", this.filter, this.search), this.groups, this.none);
  },

  has: (event) => (event.states || []).length > 0,

  FILTERS: [["changed", "Changed", "Since the last draw", (s) => s.changed], ["nondefault", "Not default", "", (s) => !s.default],
    ["all", "All", "", () => true]],
  wanted: null, /* the reader's choice; else the first filter with states */

  open(event) {
    this.event = event;
    const counts = this.FILTERS.map(([, , , has]) => event.states.filter(has).length);
    this.filter.fill(this.FILTERS.map(([v, text, title], i) => [v, `${text} ${counts[i]}`, title]));
    this.filter.set(this.wanted || this.FILTERS[Math.max(0, counts.findIndex((n) => n > 0))][0]);
    this.show();
  },

  show() {
    const words = wordsOf(this.search), wanted = this.filter.value, groups = new Map();
    const has = this.FILTERS.find(([v]) => v === wanted)[3];
    for (const s of this.event.states) {
      if (!has(s)) continue;
      if (!words.every((w) => `${s.group} ${s.name} ${s.value}`.toLowerCase().includes(w))) continue;
      if (!groups.has(s.group)) groups.set(s.group, []);
      groups.get(s.group).push(s);
    }
    const columns = [["name"], ["value"], ["before"]];
    this.groups.replaceChildren(...[...groups].map(([name, list]) => {
      const before = list.some((s) => s.changed && s.before !== undefined);
      const shown = before ? columns : columns.slice(0, 2);
      const t = grid(shown, list.map((s) => [s.name, s.value, s.changed ? s.before ?? "" : ""].slice(0, shown.length)), name);
      list.forEach((s, i) => {
        const row = t.tBodies[0].rows[i];
        row.classList.toggle("changed", !!s.changed);
        row.classList.toggle("default", !!s.default);
        if (s.changed) row.title = "changed since the last draw";
      });
      return card(name, t);
    }));
    this.none.textContent = groups.size ? "" : words.length ? "No state has these words." :
      wanted === "changed" ? "No state has changed since the last draw." : "No state differs from its default.";
  },
};

function searchBox(label, onInput) {
  const s = make("input");
  s.type = "search";
  s.placeholder = "Find";
  s.autocomplete = "off";
  s.spellcheck = false;
  s.setAttribute("aria-label", label);
  s.addEventListener("input", onInput);
  return s;
}
const wordsOf = (box) => box.value.toLowerCase().split(/\s+/).filter(Boolean);

const Constants = {
  id: "constants", text: "Constants", key: "c",
  LETTERS: { float: "c", int: "i", bool: "b" },

  start(panel) {
    this.filter = choice("Constants", [["all", "All"], ["named", "With a name"], ["changed", "Changed", "Since the last draw"]], "all", () => this.show());
    this.search = searchBox("Show constants whose name or register has these words", () => this.show());
    this.parts = make("div", undefined, "cards wide");
    this.none = make("p", "", "none");
    panel.append(toolbar("Constants", this.filter, this.search), this.parts, this.none);
  },

  has: (event) => ["vertex", "pixel"].some((s) => ["float", "int", "bool"].some((k) => event.constants?.[s]?.[k]?.length)),

  open(event) {
    this.event = event;
    this.show();
  },

  show() {
    const words = wordsOf(this.search), wanted = this.filter.value, parts = [];
    for (const stage of ["vertex", "pixel"])
      for (const kind of ["float", "int", "bool"]) {
        const list = (this.event.constants?.[stage]?.[kind] || []).filter((c) =>
          (wanted === "named" ? c.name : wanted === "changed" ? c.changed : true) &&
          words.every((w) => `${this.LETTERS[kind]}${c.register} ${c.name || ""}`.toLowerCase().includes(w)));
        if (list.length) parts.push(this.part(stage, kind, list));
      }
    this.parts.replaceChildren(...parts);
    this.none.textContent = parts.length ? "" : "No constant is like this.";
  },

  part(stage, kind, list) {
    const named = list.some((c) => c.name), values = (c) => (Array.isArray(c.value) ? c.value : [c.value]);
    const n = Math.max(...list.map((c) => values(c).length));
    const columns = [["register"], ...(named ? [["name"]] : []), ...["x", "y", "z", "w"].slice(0, n).map((t) => [n === 1 ? "value" : t, "n"])];
    const t = grid(columns, list.map((c) => [`${this.LETTERS[kind]}${c.register}`, ...(named ? [c.name || ""] : []),
      ...Array.from({ length: n }, (_, i) => number(values(c)[i]))]));
    list.forEach((c, i) => { t.tBodies[0].rows[i].classList.toggle("changed", !!c.changed); });
    const title = `${stage === "vertex" ? "Vertex" : "Pixel"} shader, ${kind}`;
    return card(title, scrolling(title, t));
  },
};
