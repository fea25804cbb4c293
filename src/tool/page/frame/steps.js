/* Steps of a shader, forwards and back: code, registers, texture reads. The server answers them alone. */
const Steps = {
  at: 0,

  start(box) {
    this.box = box;
    box.hidden = true;
    const move = (text, title, by) => button(text, title, () => this.go(this.at + by));
    this.slider = make("input");
    Object.assign(this.slider, { type: "range", min: 0, value: 0 });
    this.slider.setAttribute("aria-label", "Step");
    this.slider.addEventListener("input", () => this.go(+this.slider.value));
    this.place = make("output", "");
    this.title = make("h3");
    this.code = make("div", undefined, "code");
    this.registers = make("div");
    const parts = make("div", undefined, "step-parts"), code = scrolling("Code", this.code);
    code.classList.add("code-box");
    parts.append(code, this.registers);
    box.append(this.title, toolbar("Steps", group(button("|◀", "First step", () => this.go(0), { "aria-label": "First step" }), move("◀ Back", "Step back (,)", -1),
      move("Forward ▶", "Step forward (.)", 1), button("▶|", "Last step", () => this.go(Infinity), { "aria-label": "Last step" })), this.slider, this.place), parts);
  },

  close() {
    this.box.hidden = true;
    this.steps = null;
  },

  pixel(call, asked, primitive) {
    return this.load(`steps/${call}/pixel/${asked.x}/${asked.y}/${primitive}`, `Pixel shader of draw ${call}, primitive ${primitive}, at ${asked.x}, ${asked.y}`);
  },

  async load(key, title) {
    this.close();
    const data = await Data.ask(key).catch((e) => ({ trouble: e.message }));
    this.box.hidden = false;
    this.title.textContent = title;
    const shader = data?.shader && await Data.ask(`shader/${data.shader}`).catch(() => null);
    if (!data?.steps?.length || !shader) {
      this.code.replaceChildren(make("p", data?.trouble || "There are no steps of this shader.", "none"));
      return this.registers.replaceChildren();
    }
    Object.assign(this, { data, steps: data.steps });
    this.code.replaceChildren(...codeRows(shader));
    this.slider.max = data.steps.length - 1;
    this.go(0);
    this.box.scrollIntoView({ block: "nearest" });
  },

  /* Shows the state after step `to`. */
  go(to) {
    if (!this.steps) return;
    this.at = Math.min(this.steps.length - 1, Math.max(0, to));
    const step = this.steps[this.at];
    this.slider.value = this.at;
    this.place.textContent = `${this.at + 1} of ${this.steps.length}`;
    for (const row of this.code.children) {
      const on = +row.dataset.line === step.line;
      row.classList.toggle("now", on);
      on ? row.setAttribute("aria-current", "step") : row.removeAttribute("aria-current");
      if (on) row.scrollIntoView({ block: "nearest" });
    }
    this.showRegisters(step);
  },

  /* Registers after all steps up to this one. */
  state() {
    const registers = new Map();
    for (const { register, value } of [...(this.data.inputs || [])]) registers.set(register, [...value]);
    for (const step of this.steps.slice(0, this.at + 1))
      for (const w of step.writes || []) {
        const now = registers.get(w.register) || ["", "", "", ""];
        for (const letter of w.mask || "xyzw") {
          const k = "xyzw".indexOf(letter);
          now[k] = w.value[w.value.length === 4 ? k : (w.mask || "xyzw").indexOf(letter)];
        }
        registers.set(w.register, now);
      }
    return registers;
  },

  showRegisters(step) {
    const written = new Map((step.writes || []).map((w) => [w.register, w.mask || "xyzw"])), state = [...this.state()];
    const t = grid([["register"], ...["x", "y", "z", "w"].map((c) => [c, "n"])], state.map(([name, v]) => [name, ...v.map(number)]));
    state.forEach(([name], i) => {
      for (const letter of written.get(name) || "") t.tBodies[0].rows[i].cells[1 + "xyzw".indexOf(letter)].classList.add("written");
    });
    const parts = [card("Registers", scrolling("Registers", t))];
    if (step.texture) {
      const read = make("table"), list = (v) => (Array.isArray(v) ? v.map(number).join(" ") : String(v ?? ""));
      table(read, [["Sampler", step.texture.sampler], ["Coordinates", list(step.texture.coordinates)], ["Value", list(step.texture.value)]]);
      parts.push(card("Texture read", read));
    }
    if (this.at === this.steps.length - 1 && this.data.outputs?.length)
      parts.push(card("Outputs", grid([["register"], ...["x", "y", "z", "w"].map((c) => [c, "n"])],
        this.data.outputs.map((o) => [o.register, ...o.value.map(number)]))));
    this.registers.replaceChildren(...parts);
  },
};
