/* Steps of a shader for one pixel or vertex, forwards and back: code, registers, constants, texture reads. The server
 * answers them alone. */
const Steps = {
  id: "steps", text: "Steps", key: "g",
  asked: null, /* {call, key, text} */
  steps: [], at: 0, bits: false,

  FILES: ["vPos", "vFace", "v", "t", "aL", "a", "p", "r", "oPos", "oFog", "oPts", "oD", "oT", "o", "oC", "oDepth"],

  start(panel) {
    const move = (text, title, to) => button(text, title, () => this.go(to()), { "aria-label": title });
    this.title = make("p", "", "pixel-title");
    this.none = make("p", "", "none");
    this.slider = make("input");
    Object.assign(this.slider, { type: "range", min: 0, value: 0 });
    this.slider.setAttribute("aria-label", "Step");
    this.slider.addEventListener("input", () => this.go(+this.slider.value));
    this.place = make("output", "");
    this.format = choice("Values", [["decimal", "Decimal"], ["bits", "Bits", "The 32 bits of each number"]], "decimal", (v) => { this.bits = v === "bits"; this.showValues(); });
    this.tools = toolbar("Steps", group(move("|◀", "First step", () => 0), move("◀", "Step back (,)", () => this.at - 1),
      move("▶", "Step forward (.)", () => this.at + 1), move("▶|", "Last step", () => this.steps.length - 1)), this.slider, this.place, this.format);
    this.code = make("div", undefined, "code");
    this.code.setAttribute("role", "none");
    this.codeBox = scrolling("Code: a line runs to its next execution", this.code);
    this.codeBox.setAttribute("role", "listbox");
    this.codeBox.classList.add("code-box");
    this.codeBox.addEventListener("click", (e) => {
      const row = e.target.closest(".line");
      if (row) this.runTo(+row.dataset.line);
    });
    this.codeBox.addEventListener("keydown", (e) => this.press(e));
    this.values = make("div", undefined, "step-values");
    this.parts = make("div", undefined, "step-parts");
    this.parts.append(this.codeBox, this.values);
    panel.append(this.title, this.tools, this.none, this.parts);
  },

  has(event) { return LIVE && !!this.asked && this.asked.call === event.call; },

  pixel(call, x, y, primitive, instance) {
    this.ask(call, `pixel/${x}/${y}/${primitive}${instance ? `/${instance}` : ""}`,
      `Pixel ${x}, ${y}, primitive ${primitive}${instance ? `, instance ${instance}` : ""}`);
  },

  vertex(call, number) { this.ask(call, `vertex/${number}`, `Vertex ${number}`); },

  ask(call, which, text) {
    this.asked = { call, key: `steps/${call}/${which}`, text };
    Page.go(call, this.id);
  },

  async open() {
    const asked = this.asked;
    if (this.shown === asked.key) return;
    this.show(null, asked.text, "Replaying …");
    const data = await Data.ask(asked.key).catch((e) => ({ why: e.message }));
    if (this.asked !== asked) return;
    this.shown = data?.steps ? asked.key : null;
    const what = data?.steps && [`${data.stage === "vertex" ? "vertex" : "pixel"} shader`, data.version, data.fixed ? "made of the fixed-function state" : ""];
    this.show(data, [asked.text, ...(what || [])].filter(Boolean).join("  ·  "), data?.why || (data ? "" : "The server has no steps of this."));
  },

  show(data, title, none) {
    this.data = data;
    this.steps = data?.steps || [];
    this.title.textContent = title;
    this.none.textContent = none || (data && !this.steps.length ? "The shader has no instructions." : "");
    this.tools.hidden = this.parts.hidden = !this.steps.length;
    if (!this.steps.length) return;
    this.before = null;
    this.runs = new Map();
    for (const s of this.steps)
      for (let line = s.first ?? s.line; line <= s.line; line++) this.runs.set(line, (this.runs.get(line) || 0) + 1);
    this.code.replaceChildren(...codeRows(data).map((row, i) => this.codeRow(row, i)));
    this.slider.max = this.steps.length - 1;
    this.go(0);
  },

  codeRow(row, i) {
    const n = this.runs.get(i) || 0;
    row.id = `step-line-${i}`;
    row.setAttribute("role", "option");
    row.setAttribute("aria-selected", "false");
    if (!n) {
      row.classList.add("other");
      row.setAttribute("aria-disabled", "true");
    }
    if (n > 1) row.append(make("span", `×${n}`, "source"));
    return row;
  },

  /* Shows the state after step `to`. */
  go(to) {
    if (!this.steps.length || Number.isNaN(to)) return;
    this.at = Math.min(this.steps.length - 1, Math.max(0, Math.round(to)));
    const step = this.steps[this.at];
    this.slider.value = this.at;
    this.place.textContent = `${this.at + 1} of ${this.steps.length}${this.data.cut && this.at === this.steps.length - 1 ? ", more are left out" : ""}`;
    for (const row of this.code.children) {
      const line = +row.dataset.line, on = line <= step.line && line >= (step.first ?? step.line);
      row.classList.toggle("now", on);
      row.setAttribute("aria-selected", String(on));
    }
    this.codeBox.setAttribute("aria-activedescendant", `step-line-${step.line}`);
    this.reveal(this.code.children[step.line]);
    this.none.textContent = "";
    this.showValues();
  },

  reveal(row) {
    const box = this.codeBox, top = row.offsetTop - this.code.offsetTop, bottom = top + row.offsetHeight;
    if (top < box.scrollTop) box.scrollTop = top - row.offsetHeight;
    else if (bottom > box.scrollTop + box.clientHeight) box.scrollTop = bottom - box.clientHeight + row.offsetHeight;
  },

  /* The next execution of a line after this step, or else its first; backwards: the last one before this step. */
  runTo(line, backwards) {
    const on = (s) => s.line >= line && (s.first ?? s.line) <= line;
    const next = backwards ? this.steps.findLastIndex((s, i) => i < this.at && on(s)) : this.steps.findIndex((s, i) => i > this.at && on(s));
    const first = this.steps.findIndex(on);
    if (first >= 0) this.go(next >= 0 ? next : first);
    else this.none.textContent = `Line ${line + 1} does not run here.`;
  },

  press(e) {
    const line = this.steps[this.at]?.line, lines = [...(this.runs?.keys() || [])].sort((a, b) => a - b);
    const act = { ArrowDown: () => this.runTo(lines.find((l) => l > line) ?? line), ArrowUp: () => this.runTo(lines.findLast((l) => l < line) ?? line, true),
      Home: () => this.go(0), End: () => this.go(this.steps.length - 1), Enter: () => this.runTo(line) }[e.key];
    if (!act) return;
    act();
    e.preventDefault();
    e.stopPropagation();
  },

  /* Registers after all steps up to `at`: name -> four values, undefined where nothing has written. */
  registersAfter(at) {
    const registers = new Map(), put = ({ register, mask, value }) => {
      if (!registers.has(register)) registers.set(register, []);
      [...mask].forEach((letter, i) => { registers.get(register)["xyzw".indexOf(letter)] = value[i]; });
    };
    this.data.inputs.forEach(put);
    for (let i = 0; i <= at; i++) this.steps[i].writes.forEach(put);
    if (at === this.steps.length - 1) (this.data.outputs || []).forEach(put);
    return registers;
  },

  order(name) {
    const [, file, n] = /^([A-Za-z]*)(\d*)$/.exec(name) || ["", name, 0];
    return 1e5 * this.FILES.indexOf(file) + +n;
  },

  showValues() {
    if (!this.steps.length) return;
    const step = this.steps[this.at], text = this.data.lines[step.line].text, read = new Set(text.match(/\b[a-z]+\d+\b/gi));
    const parts = [this.registers(step), ...(step.textures || []).map((t) => this.lookup(t))];
    if (this.data.constants.length) parts.push(this.constants(read));
    const notes = [step.killed ? "texkill removes the pixel here." : this.data.killed && this.at === this.steps.length - 1 ? "The pixel was removed by texkill." : "",
      step.predicate === "" ? "The predicate is false: nothing is written." : step.predicate ? `The predicate lets ${step.predicate} be written.` : ""].filter(Boolean);
    const scrolled = this.values.querySelector(".scroll")?.scrollTop;
    this.values.replaceChildren(...notes.map((n) => make("p", n, "failed")), ...parts);
    this.revealWritten(this.values.querySelector(".scroll"), scrolled);
  },

  /* The registers stay where they were, but one that is written is seen. */
  revealWritten(box, scrolled) {
    box.scrollTop = scrolled || 0;
    const row = box.querySelector(".written")?.parentElement.getBoundingClientRect(), frame = box.getBoundingClientRect();
    if (!row) return;
    const top = frame.top + box.querySelector("thead").offsetHeight, bottom = frame.top + box.clientHeight;
    if (row.top < top) box.scrollTop += row.top - top;
    else if (row.bottom > bottom) box.scrollTop += row.bottom - bottom;
  },

  cell(v) {
    if (v === undefined || v === null) return "";
    if (this.bits && typeof v !== "boolean" && v !== "nan") {
      const f = v === "inf" ? Infinity : v === "-inf" ? -Infinity : v;
      return new Uint32Array(new Float32Array([f]).buffer)[0].toString(16).padStart(8, "0");
    }
    return number(v);
  },

  table(label, list, row) {
    const named = list.some((r) => r[1]);
    const columns = [["register"], ...(named ? [["name"]] : []), ...["x", "y", "z", "w"].map((c) => [c, "n"])];
    const t = grid(columns, list.map(([reg, name, v]) => [reg, ...(named ? [name] : []), ...[0, 1, 2, 3].map((c) => this.cell(v[c]))]), label);
    list.forEach(([reg, , v], i) => {
      const cells = t.tBodies[0].rows[i].cells;
      for (let c = 0; c < 4; c++) if (v[c] !== undefined && v[c] !== null) cells[cells.length - 4 + c].title = String(v[c]);
      row(t.tBodies[0].rows[i], reg);
    });
    return card(label, scrolling(label, t));
  },

  registers(step) {
    const now = this.registersAfter(this.at), before = this.at ? this.registersAfter(this.at - 1) : new Map(this.data.inputs.map((r) => [r.register, []]));
    const names = new Map(), written = new Map(step.writes.map((w) => [w.register, w.mask]));
    for (const { register, name } of [...this.data.inputs, ...(this.data.outputs || [])])
      if (name && !(names.get(register) || "").includes(name)) names.set(register, [names.get(register), name].filter(Boolean).join(", "));
    const list = [...now].sort(([a], [b]) => this.order(a) - this.order(b)).map(([reg, v]) => [reg, names.get(reg) || "", v]);
    return this.table("Registers", list, (row, reg) => {
      for (const letter of written.get(reg) || "") {
        const c = "xyzw".indexOf(letter), cell = row.cells[row.cells.length - 4 + c], old = before.get(reg)?.[c];
        cell.classList.add("written");
        if (!Object.is(old, now.get(reg)[c])) cell.classList.add("differs");
        if (old !== undefined) cell.title += `, before: ${old}`;
      }
    });
  },

  constants(read) {
    const list = this.data.constants.map((c) => [c.register, [c.name, c.defined ? "in the shader" : ""].filter(Boolean).join(", "), Array.isArray(c.value) ? c.value : [c.value]]);
    list.sort((a, b) => read.has(b[0]) - read.has(a[0]));
    return this.table("Constants", list, (row, reg) => row.classList.toggle("chosen", read.has(reg)));
  },

  lookup(t) {
    const list = (v) => v.map((x) => this.cell(x)).join("  "), table = make("table", undefined, "lookup");
    const rows = [["Texture", t.resource ? Resources.link(t.resource) : "none"], ["Coordinates", list(t.coordinates)]];
    for (const [key, name] of [["bias", "Bias"], ["level", "Level"]]) if (t[key] !== undefined) rows.push([name, this.cell(t[key])]);
    for (const [key, name] of [["ddx", "Change in x"], ["ddy", "Change in y"]]) if (t[key]) rows.push([name, list(t[key])]);
    const value = make("span", undefined, "value");
    value.append(...(this.bits ? [list(t.value)] : Pixel.samples([{ rgba: t.value }])));
    rows.push(["Value", value]);
    for (const [name, v] of rows) {
      const row = make("tr"), head = make("th", name), cell = make("td");
      head.scope = "row";
      cell.append(v);
      row.append(head, cell);
      table.append(row);
    }
    const part = card(`Texture read: s${t.sampler}${t.name ? ` ${t.name}` : ""}`, table);
    part.firstChild.className = "as-is";
    return part;
  },
};
