/* Costs of the frame: a table of its events that sorts, of its shaders and of overdraw. */
const Costs = {
  id: "costs", text: "Costs", key: "o", frame: true,
  sorted: ["call", 1],
  COLUMNS: [["call", "call", "n"], ["what", "event"], ["seconds", "time", "n"], ["vertices", "vertices", "n"], ["primitives", "primitives", "n"],
    ["culled", "culled", "n"], ["clipped", "clipped", "n"], ["drawn", "drawn", "n"], ["covered", "covered", "n"], ["tested", "tested", "n"],
    ["shaded", "shaded", "n"], ["written", "written", "n"], ["samples", "texels read", "n"], ["vertex_instructions", "vertex instr.", "n"],
    ["pixel_instructions", "pixel instr.", "n"]],

  start(panel) {
    this.sum = make("p", "", "quiet");
    this.box = scrolling("Costs of events", make("span"));
    this.rest = make("div", undefined, "cards wide");
    panel.append(this.sum, this.box, this.rest);
  },

  has: () => (Frame.costs?.events || []).length > 0,

  open() { this.show(); },

  show() {
    const events = Frame.costs.events, has = (key) => key === "call" || key === "what" || events.some((e) => e[key]);
    const columns = this.COLUMNS.filter(([key]) => has(key)), total = (key) => events.reduce((sum, e) => sum + (e[key] || 0), 0);
    const time = total("seconds");
    this.sum.textContent = [several(events.length, "event"), time ? `${(1000 * time).toFixed(2)} ms` : "", `${count(total("shaded"))} pixels shaded`,
      `${count(total("written"))} written`, `${count(total("vertex_instructions") + total("pixel_instructions"))} instructions`].filter(Boolean).join("  ·  ");
    const most = Object.fromEntries(columns.map(([key]) => [key, Math.max(1e-12, ...events.map((e) => +e[key] || 0))]));
    const what = (e) => { const f = Frame.byCall.get(e.call); return f ? f.what || f.name : ""; };
    const value = (e, key) => (key === "what" ? what(e) : e[key] ?? 0);
    const show = (e, key) => {
      if (key === "call") return eventLink(e.call);
      if (key === "what") return make("span", what(e), "cut");
      const cell = make("span", key === "seconds" ? this.time(e.seconds) : count(e[key] ?? 0), "bar");
      cell.style.setProperty("--share", `${(100 * (e[key] || 0)) / most[key]}%`);
      return cell;
    };
    this.box.replaceChildren(sortable(columns, events, this, value, show, (e) => e.call === Page.call));
    this.rest.replaceChildren(...this.shaders(), ...this.targets());
  },

  time: (s) => (s === undefined ? "" : s >= 0.001 ? `${(1000 * s).toFixed(2)} ms` : `${(1e6 * s).toFixed(0)} µs`),

  shaders() {
    const list = [...(Frame.costs.shaders || [])].sort((a, b) => (b.instructions || 0) - (a.instructions || 0));
    if (!list.length) return [];
    const draws = (d) => (Array.isArray(d) ? d.length : d);
    return [card("Shaders", scrolling("Costs of shaders", grid([["shader"], ["kind"], ["draws", "n"], ["invocations", "n"], ["instructions", "n"], ["texels read", "n"], ["time", "n"]],
      list.map((s) => [String(s.id), s.kind, count(draws(s.draws)), count(s.invocations), count(s.instructions), count(s.samples), this.time(s.seconds)]))))];
  },

  targets() {
    const list = Frame.costs.targets || [];
    if (!list.length) return [];
    return [card("Overdraw", grid([["target"], ["writes a pixel", "n"]], list.map((t) => [Resources.link(t.resource), number(t.overdraw)])))];
  },
};
