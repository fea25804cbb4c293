/* Mesh of a draw, before and after the vertex stage, beside its table of vertices. */
const MESH_STAGES = [["in", "Input", "Vertices as the buffers have them"], ["out", "Output", "After the vertex stage, divided by w"],
  ["screen", "Screen", "Where the vertices lie on the target"]];

const Mesh = {
  id: "mesh", text: "Mesh", key: "m",
  stage: "in",
  missing: new Set(), /* calls without an answer */

  start(panel) {
    this.view = new MeshView((i) => this.choose(i));
    this.stages = choice("Vertices", MESH_STAGES, "in", (v) => { this.stage = v; this.show(); });
    this.style = choice("Style", [["solid", "Solid"], ["wire", "Wireframe"]], "solid", (v) => { this.view.solid = v === "solid"; this.view.draw(); });
    this.facts = make("span", "", "quiet");
    this.table = make("div", undefined, "vertices");
    this.table.tabIndex = 0;
    this.table.setAttribute("role", "listbox");
    this.table.setAttribute("aria-label", "Vertices");
    this.head = make("div", undefined, "vertex head");
    this.space = make("div", undefined, "space-of-rows");
    this.space.setAttribute("role", "none");
    this.rowsBox = make("div", undefined, "vertex-rows");
    this.rowsBox.append(this.space);
    this.rowsBox.setAttribute("role", "none");
    this.table.append(this.rowsBox);
    this.rows = new Rows(this.table, this.space, 22, (i) => this.row(i));
    this.table.addEventListener("click", (e) => {
      const row = e.target.closest(".vertex");
      if (row) this.choose(+row.dataset.index);
    });
    this.table.addEventListener("keydown", (e) => this.press(e));
    this.table.addEventListener("dblclick", () => this.step());
    this.stepsButton = button("Steps of the vertex", "Step through the vertex shader of the chosen vertex (Enter)", () => this.step());
    const side = make("div", undefined, "vertex-part"), both = make("div", undefined, "mesh-parts");
    side.append(this.head, this.table);
    this.table.addEventListener("scroll", () => { this.head.scrollLeft = this.table.scrollLeft; });
    both.append(this.view.canvas, side);
    panel.append(toolbar("Mesh", this.stages, this.style,
      group(button("−", "Smaller", () => this.view.zoomBy(0.8), { "aria-label": "Zoom out of the mesh" }), button("+", "Larger", () => this.view.zoomBy(1.25), { "aria-label": "Zoom into the mesh" }),
        button("←", "Turn left", () => this.view.orbit(-0.2, 0), { "aria-label": "Turn the mesh left" }), button("→", "Turn right", () => this.view.orbit(0.2, 0), { "aria-label": "Turn the mesh right" }),
        button("Reset", "First view", () => this.view.look(this.view.flat))), ...(LIVE ? [this.stepsButton] : []), this.facts), both);
  },

  has(event) { return event.kind === "draw" && !this.missing.has(event.call); },

  async open(event) {
    this.event = event;
    const mesh = await Data.ask(`mesh/${event.call}`);
    if (this.event !== event) return;
    if (!mesh) {
      this.missing.add(event.call);
      return Page.refreshTabs();
    }
    this.mesh = mesh;
    this.view.chosen = -1;
    this.stepsButton.disabled = true;
    const stages = MESH_STAGES.filter(([s]) => (s === "screen" ? mesh.screen?.length : mesh[s]?.rows?.length && this.position(mesh[s].columns)));
    this.stages.fill(stages);
    if (!stages.some(([s]) => s === this.stage)) this.stage = stages[0]?.[0];
    this.stages.set(this.stage);
    this.show();
  },

  /* Numbers of the columns of x, y, z and perhaps w. */
  position(columns) {
    const find = (name) => columns.findIndex((c) => c.toLowerCase() === name || c.toLowerCase().replace("positiont", "position") === `position0.${name}` ||
      c.toLowerCase() === `position.${name}`);
    const at = ["x", "y", "z", "w"].map(find);
    return at[0] >= 0 && at[1] >= 0 ? at : null;
  },

  points() {
    const { mesh, stage } = this, good = (v) => typeof v === "number" && Number.isFinite(v);
    if (stage === "screen")
      return mesh.screen.map((p) => (p && good(p[0]) && good(p[1]) && (p[3] === undefined || p[3] > 0) ? [p[0], p[1], good(p[2]) ? p[2] : 0] : null));
    const [x, y, z, w] = this.position(mesh[stage].columns);
    return mesh[stage].rows.map((r) => {
      const p = [r[x], r[y], z >= 0 ? r[z] : 0], d = stage === "out" && w >= 0 ? r[w] : 1;
      return p.every(good) && good(d) && d > 0 ? p.map((v) => v / d) : null;
    });
  },

  show() {
    const { mesh, stage } = this;
    if (!stage) return;
    const part = this.part = stage === "screen" ? { columns: ["x", "y", "z", "w"], rows: mesh.screen } : mesh[stage];
    const order = mesh.indices || part.rows.map((_, i) => i);
    const shape = meshShape(mesh.topology, order, mesh.primitives);
    this.view.open(this.points(), { ...shape, culled: new Set(mesh.culled || []) }, stage === "screen");
    this.view.canvas.setAttribute("aria-label", `${several(mesh.primitives, "primitive")} of ${several(part.rows.length, "vertex").replace(/vertexs$/, "vertices")}`);
    this.facts.textContent = [mesh.topology, several(mesh.primitives, "primitive"), `${count(part.rows.length)} vertices`,
      mesh.culled?.length ? `${count(mesh.culled.length)} culled` : "", mesh.cut ? "more vertices are left out" : ""].filter(Boolean).join("  ·  ");
    const cells = ["#", ...part.columns].map((c) => make("span", c));
    this.head.replaceChildren(...cells);
    const width = `${56 + 92 * part.columns.length}px`;
    this.head.firstChild.className = this.head.className = "vertex head";
    this.head.firstChild.className = "";
    this.space.style.minWidth = width;
    this.rows.set(part.rows.length);
  },

  row(i) {
    const row = make("div", undefined, "vertex");
    row.id = `vertex-${i}`;
    row.dataset.index = i;
    for (const [k, v] of [["role", "option"], ["aria-selected", i === this.view.chosen], ["aria-posinset", i + 1], ["aria-setsize", this.part.rows.length]])
      row.setAttribute(k, String(v));
    row.append(make("span", String(this.mesh.vertices?.[i] ?? i)), ...(this.part.rows[i] || []).map((v) => make("span", number(v))));
    return row;
  },

  /* Opens the steps of the chosen vertex. */
  step() {
    if (LIVE && this.view.chosen >= 0) Steps.vertex(this.event.call, this.mesh.vertices?.[this.view.chosen] ?? this.view.chosen);
  },

  choose(i) {
    if (!this.part || i < 0 || i >= this.part.rows.length) return;
    this.view.chosen = i;
    this.stepsButton.disabled = false;
    this.view.draw();
    this.rows.reveal(i);
    this.rows.draw();
    this.table.setAttribute("aria-activedescendant", `vertex-${i}`);
  },

  press(e) {
    if (e.key === "Enter" && LIVE) this.step();
    const at = this.view.chosen, last = (this.part?.rows.length || 0) - 1;
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: last, PageDown: Math.min(last, at + 10), PageUp: Math.max(0, at - 10) }[e.key];
    if (to === undefined) return;
    this.choose(to);
    e.preventDefault();
    e.stopPropagation();
  },
};
