/* History of a pixel: each event that touched it, with tests and values. The server answers it alone. */
const Pixel = {
  id: "pixel", text: "Pixel", key: "p",
  asked: null, /* {call, resource, slot, x, y} */

  start(panel) {
    this.title = make("p", "", "pixel-title");
    this.none = make("p", "", "none");
    this.events = make("div", undefined, "history");
    panel.append(this.title, this.none, this.events);
  },

  has() { return LIVE && !!this.asked; },

  question() {
    const { call, resource, x, y } = this.asked;
    return `pixel/${call}/${resource}/${x}/${y}`;
  },

  async open() {
    const asked = this.asked, key = this.question();
    if (this.shown === key) return;
    this.title.textContent = `Pixel ${asked.x}, ${asked.y} of ${Frame.resourceName(asked.resource)} after call ${asked.call}`;
    this.none.textContent = "Replaying …";
    this.events.replaceChildren();
    const history = await Data.ask(key).catch((e) => ({ trouble: e.message }));
    if (this.asked !== asked) return;
    this.shown = history?.trouble ? null : key;
    const points = history?.points || (history?.events ? [history] : []);
    this.none.textContent = history?.trouble || (points.some((p) => p.events?.length) ? "" : "Nothing touched this pixel in the frame.");
    this.events.replaceChildren(...points.flatMap((p, i) => this.point(p, i)));
  },

  /* A pixel may be copied from another surface: the history goes on there. */
  point(point, i) {
    const parts = [];
    if (i) parts.push(make("h3", `Copied from pixel ${point.x}, ${point.y} of surface ${point.surface}`));
    if (point.start) parts.push(this.value("At the start", point.start));
    parts.push(...(point.events || []).map((e) => this.event(e, point)));
    return parts;
  },

  value(text, value) {
    const p = make("p", undefined, "value");
    p.append(make("span", text, "quiet"), ...this.samples(value));
    return p;
  },

  samples(value) {
    return (value || []).map((s) => {
      const e = make("span", undefined, "pixel");
      if (s.rgba) {
        const i = make("i");
        i.style.background = `rgb(${s.rgba.slice(0, 3).map((v) => Math.round(255 * Math.min(1, Math.max(0, +v || 0)))).join()})`;
        e.append(i);
      }
      const text = s.rgba ? s.rgba.map(number).join(" ") : s.depth !== undefined ? number(s.depth) : String(s.raw ?? "");
      e.append(make("b", text + (s.stencil === undefined ? "" : `  stencil ${s.stencil}`)));
      e.title = String(s.raw ?? "");
      return e;
    });
  },

  event(e, point) {
    const box = make("section", undefined, "card"), head = make("h3");
    head.append(eventLink(e.call, `${e.call}`, "targets"), make("span", e.what || e.name));
    box.append(head, this.changes(e));
    for (const p of e.primitives || []) box.append(this.primitive(e, p, point));
    return box;
  },

  changes(e) {
    const t = make("table"), names = Object.keys({ ...e.before, ...e.after });
    for (const name of names) {
      const row = make("tr"), head = make("th", name), cell = make("td");
      head.scope = "row";
      cell.append(...this.samples(e.before?.[name]), make("span", " → ", "quiet"), ...this.samples(e.after?.[name]));
      row.append(head, cell);
      t.append(row);
    }
    return t;
  },

  primitive(e, p, point) {
    const row = make("div", undefined, "primitive");
    row.append(make("span", `primitive ${p.primitive}${p.instance ? `, instance ${p.instance}` : ""}`, "quiet"), make("b", p.outcome));
    for (const t of p.tests || []) {
      const failed = t.passed < t.samples;
      row.append(make("span", `${t.test} ${failed ? "✗" : "✓"}${t.samples > 1 ? ` ${t.passed} of ${t.samples}` : ""}`, failed ? "failed" : "passed"));
    }
    if (p.shader) row.append(this.value("shader", [{ rgba: p.shader }]));
    row.append(button("Steps", "Step through the pixel shader", () => Steps.pixel(e.call, point.x, point.y, p.primitive, p.instance),
      { "aria-label": `Steps of the pixel shader of draw ${e.call}, primitive ${p.primitive}` }));
    return row;
  },
};
