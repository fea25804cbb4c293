/* Picture panes with a shared zoom and position, slider and blink modes, and the pixel readout. */
const MODES = [
  ["side", "Side by side", "1"], ["slider", "Slider", "2"], ["blink", "Blink", "3"],
  ["difference", "Difference", "4"], ["heat", "Heat", "5"], ["flip", "FLIP", "6"],
];
const SOURCES = {
  reference: ["Reference", () => Pictures.reference?.[View.plane]],
  candidate: ["Candidate", () => Pictures.candidate?.[View.plane]],
  difference: ["Difference", () => Pictures.difference],
  heat: ["Heat", () => Pictures.heat],
  flip: ["FLIP", () => Pictures.flipMap],
};
const hex = (v) => v.toString(16).padStart(2, "0");

const View = {
  mode: "side", scale: 1, x: 0, y: 0, split: 0.5, blinkOn: false, showBox: true, showMask: false,
  plane: "canvas" /* or "alpha" */,
  panes: [], timer: 0, cursor: null, fitted: true,

  start() {
    for (const [mode, text, key] of MODES) {
      const b = make("button", text);
      b.type = "button";
      b.dataset.mode = mode;
      b.title = `${text} (${key})`;
      b.setAttribute("role", "radio");
      b.addEventListener("click", () => this.setMode(mode));
      $("modes").append(b);
    }
    $("mask").addEventListener("click", () => this.toggle("mask", "showMask"));
    $("box").addEventListener("click", () => this.toggle("box", "showBox"));
    $("alpha").addEventListener("click", () => this.toggleAlpha());
    $("zoom-in").addEventListener("click", () => this.zoomBy(2));
    $("zoom-out").addEventListener("click", () => this.zoomBy(0.5));
    $("zoom-fit").addEventListener("click", () => this.fit());
    $("zoom-box").addEventListener("click", () => this.toBox());
    $("gain").addEventListener("input", () => {
      const factor = 2 ** +$("gain").value;
      $("gain-value").textContent = `×${factor}`;
      Pictures.gain(factor);
      this.draw();
    });
    new ResizeObserver(() => {
      if (this.panes.length) this.resize();
    }).observe($("panes"));
  },

  toggle(id, field) {
    if ($(id).disabled) return;
    this[field] = !this[field];
    $(id).setAttribute("aria-pressed", String(this[field]));
    this.draw();
  },

  toggleAlpha() {
    this.plane = this.plane === "alpha" ? "canvas" : "alpha";
    $("alpha").setAttribute("aria-pressed", String(this.plane === "alpha"));
    this.draw();
  },

  /* Disables the sources that the new pictures lack. */
  open() {
    const both = Pictures.reference && Pictures.candidate;
    for (const b of $("modes").children)
      b.disabled = b.dataset.mode === "flip" ? !Pictures.flipMap : b.dataset.mode !== "side" && !both;
    $("mask").disabled = !Pictures.mask;
    $("zoom-box").disabled = $("box").disabled = !Pictures.box;
    $("gain").value = 3;
    $("gain-value").textContent = "×8";
    const mode = document.querySelector(`#modes [data-mode=${this.mode}]`);
    this.cursor = null;
    this.readPixel();
    this.fitted = true;
    this.setMode(mode.disabled ? "side" : this.mode);
  },

  setMode(mode) {
    const button = document.querySelector(`#modes [data-mode=${mode}]`);
    if (button.disabled) return;
    this.mode = mode;
    for (const b of $("modes").children) b.setAttribute("aria-checked", String(b === button));
    clearInterval(this.timer);
    if (mode === "blink") this.timer = setInterval(() => this.blink(), 600);
    $("gain-label").hidden = mode !== "side" && mode !== "difference";
    this.makePanes();
    this.resize();
  },

  resize() {
    this.setHeight();
    if (this.fitted) this.fit();
    this.draw();
  },

  /* A pane's height follows from its width, limited by the window. */
  setHeight() {
    const width = $("panes").clientWidth / this.panes.length, most = Math.max(300, 0.68 * window.innerHeight);
    const height = 30 + width * (Pictures.height / Pictures.width || 1);
    $("panes").style.height = `${Math.round(Math.min(most, Math.max(240, height)))}px`;
  },

  blink() {
    this.blinkOn = !this.blinkOn;
    this.draw();
  },

  sources() {
    if (this.mode === "side")
      return ["reference", "candidate", "difference"].filter((s) => SOURCES[s][1]());
    return [this.mode];
  },

  makePanes() {
    this.panes = this.sources().map((source) => {
      const box = make("div", undefined, "pane"), title = make("h3"), stage = make("div", undefined, "stage");
      const canvas = make("canvas");
      canvas.setAttribute("role", "img");
      stage.append(canvas);
      box.append(title, stage);
      this.listen(stage);
      return { box, title, stage, canvas, source };
    });
    if (this.mode === "slider") this.panes[0].stage.append(this.makeHandle(this.panes[0].stage));
    $("panes").replaceChildren(...this.panes.map((p) => p.box));
  },

  makeHandle(stage) {
    const h = make("div", undefined, "handle");
    h.id = "slider";
    h.tabIndex = 0;
    for (const [k, v] of Object.entries({ role: "slider", "aria-label": "Reference left, candidate right of it", "aria-valuemin": 0, "aria-valuemax": 100 }))
      h.setAttribute(k, v);
    h.addEventListener("pointerdown", (e) => { h.setPointerCapture(e.pointerId); e.stopPropagation(); });
    h.addEventListener("pointermove", (e) => {
      if (!h.hasPointerCapture(e.pointerId)) return;
      const r = stage.getBoundingClientRect();
      this.setSplit((e.clientX - r.left) / r.width);
      e.stopPropagation();
    });
    h.addEventListener("keydown", (e) => {
      const by = { ArrowLeft: -0.02, ArrowRight: 0.02, Home: -1, End: 1 }[e.key];
      if (!by) return;
      this.setSplit(this.split + by);
      e.preventDefault();
      e.stopPropagation();
    });
    return h;
  },

  setSplit(at) {
    this.split = Math.min(1, Math.max(0, at));
    this.draw();
  },

  /* --- Zoom and position: image pixel (x, y) is at the centre of every pane --- */

  paneSize() {
    const r = this.panes[0].stage.getBoundingClientRect();
    return [Math.max(r.width, 1), Math.max(r.height, 1)];
  },
  fit() {
    this.fitted = true;
    const [w, h] = this.panes.length ? this.paneSize() : [1, 1];
    this.scale = Math.min(w / Pictures.width, h / Pictures.height) || 1;
    if (this.scale > 1) this.scale = Math.floor(this.scale);
    this.x = Pictures.width / 2;
    this.y = Pictures.height / 2;
    this.draw();
  },
  toBox() {
    if (!Pictures.box) return;
    this.fitted = false;
    const [x0, y0, x1, y1] = Pictures.box, [w, h] = this.paneSize();
    this.scale = Math.min(48, Math.max(0.05, 0.8 * Math.min(w / (x1 - x0), h / (y1 - y0))));
    if (this.scale > 1) this.scale = Math.floor(this.scale);
    this.x = (x0 + x1) / 2;
    this.y = (y0 + y1) / 2;
    this.draw();
  },
  zoomBy(factor, at) {
    this.fitted = false;
    const old = this.scale, [px, py] = at || [this.x, this.y];
    this.scale = Math.min(64, Math.max(0.05, old * factor));
    this.x = px + (this.x - px) * (old / this.scale);
    this.y = py + (this.y - py) * (old / this.scale);
    this.draw();
  },
  toImage(stage, e) {
    const r = stage.getBoundingClientRect();
    return [(e.clientX - r.left - r.width / 2) / this.scale + this.x,
      (e.clientY - r.top - r.height / 2) / this.scale + this.y];
  },

  listen(stage) {
    let last = null;
    stage.addEventListener("wheel", (e) => {
      e.preventDefault();
      this.zoomBy(e.deltaY < 0 ? 1.25 : 0.8, this.toImage(stage, e));
    }, { passive: false });
    stage.addEventListener("pointerdown", (e) => { last = [e.clientX, e.clientY]; stage.setPointerCapture(e.pointerId); });
    stage.addEventListener("pointerup", () => { last = null; });
    stage.addEventListener("pointerleave", () => { this.cursor = null; this.draw(); });
    stage.addEventListener("pointermove", (e) => {
      if (last) {
        this.fitted = false;
        this.x -= (e.clientX - last[0]) / this.scale;
        this.y -= (e.clientY - last[1]) / this.scale;
        last = [e.clientX, e.clientY];
      }
      this.cursor = this.toImage(stage, e).map(Math.floor);
      this.draw();
      this.readPixel();
    });
    stage.addEventListener("dblclick", () => this.fit());
  },

  /* --- Drawing --- */

  draw() {
    if (this.pending) return;
    this.pending = requestAnimationFrame(() => {
      this.pending = 0;
      for (const p of this.panes) this.drawPane(p);
      $("zoom").textContent = `${Math.round(this.scale * 100)} %`;
    });
  },

  drawPane(p) {
    const ratio = window.devicePixelRatio || 1, r = p.stage.getBoundingClientRect();
    const w = Math.max(1, Math.round(r.width * ratio)), h = Math.max(1, Math.round(r.height * ratio));
    if (p.canvas.width !== w) p.canvas.width = w;
    if (p.canvas.height !== h) p.canvas.height = h;
    const g = p.canvas.getContext("2d"), s = this.scale * ratio;
    const place = [s, 0, 0, s, Math.round(w / 2 - this.x * s), Math.round(h / 2 - this.y * s)];
    g.setTransform(1, 0, 0, 1, 0, 0);
    g.clearRect(0, 0, w, h);
    g.imageSmoothingEnabled = s < 1;
    g.imageSmoothingQuality = "high";
    if (this.mode === "slider") {
      this.drawHalf(g, place, "reference", 0, this.split * w, h);
      this.drawHalf(g, place, "candidate", this.split * w, w, h);
      const handle = $("slider");
      handle.style.left = `${this.split * 100}%`;
      handle.setAttribute("aria-valuenow", Math.round(this.split * 100));
    } else {
      this.drawHalf(g, place, this.showing(p), 0, w, h);
    }
    this.drawMarks(g, place);
    if (s >= 44) this.drawValues(g, place, p, w, h);
    this.label(p);
  },

  showing(p) {
    return p.source === "blink" ? (this.blinkOn ? "candidate" : "reference") : p.source;
  },

  drawHalf(g, place, source, from, to, h) {
    const image = SOURCES[source][1]();
    if (!image) return;
    g.save();
    g.beginPath();
    g.rect(from, 0, to - from, h);
    g.clip();
    g.setTransform(...place);
    g.drawImage(image, 0, 0);
    if (this.showMask && Pictures.overlay) g.drawImage(Pictures.overlay, 0, 0);
    g.restore();
  },

  drawMarks(g, place) {
    const frame = (x0, y0, x1, y1, colour, out) => {
      const at = (x, y) => [x * place[0] + place[4], y * place[3] + place[5]];
      const [ax, ay] = at(x0, y0), [bx, by] = at(x1, y1);
      g.setTransform(1, 0, 0, 1, 0, 0);
      g.lineWidth = 3;
      g.strokeStyle = "#000a";
      g.strokeRect(ax - out, ay - out, bx - ax + 2 * out, by - ay + 2 * out);
      g.lineWidth = 1.5;
      g.strokeStyle = colour;
      g.strokeRect(ax - out, ay - out, bx - ax + 2 * out, by - ay + 2 * out);
    };
    if (this.showBox && Pictures.box) frame(...Pictures.box, "#ff4fd8", 3);
    if (this.cursor && this.scale >= 4) frame(this.cursor[0], this.cursor[1], this.cursor[0] + 1, this.cursor[1] + 1, "#fff", 0);
  },

  /* At this zoom the numbers fit into the pixels. */
  drawValues(g, place, p, w, h) {
    const source = this.mode === "slider" ? null : this.showing(p);
    const x0 = Math.max(0, Math.floor(-place[4] / place[0])), y0 = Math.max(0, Math.floor(-place[5] / place[3]));
    g.setTransform(1, 0, 0, 1, 0, 0);
    g.font = `${Math.min(13, place[0] / 4)}px ui-monospace, "DejaVu Sans Mono", monospace`;
    g.textAlign = "center";
    g.textBaseline = "middle";
    for (let y = y0; y < Pictures.height && y * place[3] + place[5] < h; y++)
      for (let x = x0; x < Pictures.width && x * place[0] + place[4] < w; x++) {
        const middle = (x + 0.5) * place[0] + place[4];
        const side = source || (middle < this.split * w ? "reference" : "candidate");
        const values = this.valuesOf(side, x, y);
        if (!values) continue;
        const c = this.shownColour(side, x, y);
        g.fillStyle = 0.3 * c[0] + 0.6 * c[1] + 0.1 * c[2] > 140 ? "#000" : "#fff";
        values.forEach((v, i) => g.fillText(v, middle, (y + (i + 0.6) / (values.length + 0.2)) * place[3] + place[5]));
      }
  },
  valuesOf(source, x, y) {
    if (source === "flip") return Pictures.flip && [(Pictures.at(Pictures.flip, x, y)[0] / 255).toFixed(2)];
    if (source === "difference" || source === "heat") {
      const o = 4 * (y * Pictures.width + x);
      return Array.from(Pictures.apart.subarray(o, o + (Pictures.apart[o + 3] ? 4 : 3)), String);
    }
    const v = Pictures.at(Pictures[source], x, y);
    return v && (this.plane === "alpha" ? v.slice(3) : v.slice(0, 3)).map(String);
  },
  shownColour(source, x, y) {
    const canvas = SOURCES[source][1](), i = 4 * (y * canvas.width + x);
    return canvas.pixels.subarray(i, i + 3);
  },

  label(p) {
    const source = this.mode === "slider" ? "slider" : this.showing(p);
    const alpha = this.plane === "alpha" && ["slider", "reference", "candidate"].includes(source) ? ", alpha" : "";
    const text = (source === "slider" ? "Reference | Candidate" : SOURCES[source][0]) + alpha;
    const picture = Pictures[source];
    const small = picture && picture.canvas ? `${picture.width}×${picture.height}` :
      source === "difference" ? $("gain-value").textContent : "";
    if (p.text === text + small) return;
    p.text = text + small;
    p.title.replaceChildren(text, make("span", small));
    p.canvas.setAttribute("aria-label", text);
  },

  /* --- The pixel under the cursor --- */

  readPixel() {
    if (!this.cursor) return $("pixel").replaceChildren("Point at a pixel to read it; wheel or + zooms, ? shows all keys.");
    const [x, y] = this.cursor, a = Pictures.at(Pictures.reference, x, y), b = Pictures.at(Pictures.candidate, x, y);
    if (!a && !b) return $("pixel").replaceChildren();
    const parts = [["at", `${x}, ${y}`]];
    for (const [name, v] of [["reference", a], ["candidate", b]])
      if (v) parts.push([name, v.join(" ") + "  #" + v.map(hex).join(""), v]);
    if (a && b) parts.push(["difference", a.map((v, i) => b[i] - v).map((d) => (d > 0 ? "+" : "") + d).join(" ")]);
    const flip = Pictures.at(Pictures.flip, x, y);
    if (flip) parts.push(["FLIP", (flip[0] / 255).toFixed(3)]);
    if (Pictures.mask) parts.push(["mask", Pictures.masked(x, y) ? "may differ" : "must agree"]);
    $("pixel").replaceChildren(...parts.map(([name, text, swatch]) => {
      const e = make("span", `${name} `), value = make("b", text);
      e.dataset.part = name;
      if (swatch) {
        const i = make("i");
        i.style.background = `rgb(${swatch[0]},${swatch[1]},${swatch[2]})`;
        e.append(i);
      }
      if (name === "difference" && a.some((v, i) => v !== b[i])) value.className = "apart";
      e.append(value);
      return e;
    }));
  },
};
