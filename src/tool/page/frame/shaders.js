/* Shaders of an event: disassembly with the cost of each instruction, and the draws that use them. */
const Shaders = {
  id: "shaders", text: "Shaders", key: "d",
  stage: "pixel",

  start(panel) {
    this.stages = choice("Shader", [], this.stage, (v) => { this.stage = v; this.show(); });
    this.facts = make("span", "", "quiet");
    this.code = make("div", undefined, "code");
    this.codeBox = scrolling("Disassembly", this.code);
    this.codeBox.classList.add("code-box");
    this.draws = make("div");
    panel.append(toolbar("Shaders", this.stages, this.facts), this.codeBox, this.draws);
  },

  has: (event) => !!(event.shaders?.vertex || event.shaders?.pixel),

  open(event) {
    this.event = event;
    const stages = [["vertex", "Vertex shader"], ["pixel", "Pixel shader"]].filter(([s]) => event.shaders[s]);
    this.stages.fill(stages);
    if (!event.shaders[this.stage]) this.stage = stages[0][0];
    this.stages.set(this.stage);
    return this.show();
  },

  async show() {
    const id = this.id_ = this.event.shaders[this.stage], shader = await Data.ask(`shader/${id}`);
    if (this.id_ !== id) return;
    if (!shader) {
      this.facts.textContent = "";
      this.code.replaceChildren(make("p", "The shader has no disassembly.", "none"));
      return this.draws.replaceChildren();
    }
    const cost = Frame.costs?.shaders?.find((s) => s.id === id);
    this.facts.textContent = [shader.version, shader.fixed ? "made of the fixed-function state" : "", several(shader.lines.filter((l) => l.instruction).length, "instruction"),
      cost ? `${several(cost.invocations, "invocation")}, ${count(cost.instructions)} executed` : ""].filter(Boolean).join("  ·  ");
    this.code.replaceChildren(...codeRows(shader, cost?.lines));
    this.draws.replaceChildren(card("Draws with this shader", eventLinks(shader.draws || [])));
  },
};

/* Rows of a shader: number, executions with a bar, text, line of the source. */
function codeRows(shader, executions) {
  const most = Math.max(1, ...(executions || []));
  const sourced = shader.lines.some((l) => l.source);
  return shader.lines.map((line, i) => {
    const row = make("div", undefined, line.instruction ? "line" : "line other");
    row.dataset.line = i;
    row.append(make("span", String(i + 1), "no"));
    if (executions) {
      const cost = make("span", line.instruction && executions[i] !== undefined ? count(executions[i]) : "", "cost");
      cost.style.setProperty("--share", `${(100 * (executions[i] || 0)) / most}%`);
      row.append(cost);
    }
    row.append(make("code", line.text));
    if (sourced) row.append(make("span", line.source ? `line ${line.source}` : "", "source"));
    return row;
  });
}
