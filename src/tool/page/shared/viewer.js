/* Viewer of pictures: panes with a shared zoom and position, a slider between two pictures, blinking,
 * and values in large pixels. A page extends the class with what its panes show. */
class Viewer {
  mode = "side";
  scale = 1;
  x = 0; /* the pixel at the centre of every pane */
  y = 0;
  split = 0.5;
  blinkOn = false;
  panes = [];
  timer = 0;
  cursor = null; /* the pixel under the pointer */
  fitted = true;
  halves = ["reference", "candidate"]; /* what the slider and blinking show */
  handleLabel = "Reference left, candidate right of it";

  /* host: element of the panes; zoom: output of the scale; handle: id of the slider's handle. */
  constructor(host, zoom, handle) {
    this.host = host;
    this.zoom = zoom;
    this.handleId = handle;
    new ResizeObserver(() => {
      if (this.panes.length) this.resize();
    }).observe(host);
  }

  /* --- What a page gives --- */

  size() { return [1, 1]; }
  sources() { return [this.mode]; }
  image() { return null; } /* canvas of a source, or null */
  title(source) { return [source, ""]; } /* of a source, "slider" included */
  overlays() { return []; } /* canvases over each picture */
  boxes() { return []; } /* [[x0, y0, x1, y1], colour, distance] */
  valuesOf() { return null; } /* texts in a large pixel */
  readPixel() {} /* the cursor has moved */
  picked() {} /* a click on the cursor's pixel */
  heightLimits() { return [240, Math.max(300, 0.68 * window.innerHeight)]; }

  shownColour(source, x, y) {
    const canvas = this.image(source), i = 4 * (y * canvas.width + x);
    return canvas.pixels ? canvas.pixels.subarray(i, i + 3) : [0, 0, 0];
  }

  /* --- Panes --- */

  show(mode) {
    this.mode = mode;
    clearInterval(this.timer);
    if (mode === "blink") this.timer = setInterval(() => this.blink(), 600);
    this.makePanes();
    this.resize();
  }

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
    this.handle = null;
    if (this.mode === "slider") this.panes[0].stage.append(this.makeHandle(this.panes[0].stage));
    this.host.replaceChildren(...this.panes.map((p) => p.box));
    for (const p of this.panes) this.label(p); /* its height counts */
  }

  makeHandle(stage) {
    const h = this.handle = make("div", undefined, "handle");
    h.id = this.handleId;
    h.tabIndex = 0;
    for (const [k, v] of Object.entries({ role: "slider", "aria-label": this.handleLabel, "aria-valuemin": 0, "aria-valuemax": 100 }))
      h.setAttribute(k, v);
    h.addEventListener("pointerdown", (e) => { h.setPointerCapture(e.pointerId); e.stopPropagation(); });
    h.addEventListener("pointerup", (e) => e.stopPropagation());
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
  }

  setSplit(at) {
    this.split = Math.min(1, Math.max(0, at));
    this.draw();
  }

  blink() {
    this.blinkOn = !this.blinkOn;
    this.draw();
  }

  resize() {
    this.setHeight();
    if (this.fitted) this.fit();
    this.draw();
  }

  /* A pane's height follows from its width, within limits. */
  setHeight() {
    const [w, h] = this.size(), [least, most] = this.heightLimits();
    const height = 30 + (this.host.clientWidth / this.panes.length) * (h / w || 1);
    this.host.style.height = `${Math.round(Math.min(most, Math.max(least, height)))}px`;
  }

  /* --- Zoom and position --- */

  paneSize() {
    const r = this.panes[0].stage.getBoundingClientRect();
    return [Math.max(r.width, 1), Math.max(r.height, 1)];
  }

  fit() {
    this.fitted = true;
    const [w, h] = this.panes.length ? this.paneSize() : [1, 1], [width, height] = this.size();
    this.scale = Math.min(w / width, h / height) || 1;
    if (this.scale >= 3) this.scale = Math.floor(this.scale); /* smaller ones would waste much room */
    this.x = width / 2;
    this.y = height / 2;
    this.draw();
  }

  zoomTo([x0, y0, x1, y1]) {
    const [w, h] = this.paneSize();
    this.fitted = false;
    this.scale = Math.min(48, Math.max(0.05, 0.8 * Math.min(w / (x1 - x0), h / (y1 - y0))));
    if (this.scale > 1) this.scale = Math.floor(this.scale);
    this.x = (x0 + x1) / 2;
    this.y = (y0 + y1) / 2;
    this.draw();
  }

  zoomBy(factor, at) {
    this.fitted = false;
    const old = this.scale, [px, py] = at || [this.x, this.y];
    this.scale = Math.min(64, Math.max(0.05, old * factor));
    this.x = px + (this.x - px) * (old / this.scale);
    this.y = py + (this.y - py) * (old / this.scale);
    this.draw();
  }

  toImage(stage, e) {
    const r = stage.getBoundingClientRect();
    return [(e.clientX - r.left - r.width / 2) / this.scale + this.x,
      (e.clientY - r.top - r.height / 2) / this.scale + this.y];
  }

  listen(stage) {
    let last = null, moved = 0;
    stage.addEventListener("wheel", (e) => {
      e.preventDefault();
      this.zoomBy(e.deltaY < 0 ? 1.25 : 0.8, this.toImage(stage, e));
    }, { passive: false });
    stage.addEventListener("pointerdown", (e) => {
      last = [e.clientX, e.clientY];
      moved = 0;
      stage.setPointerCapture(e.pointerId);
    });
    stage.addEventListener("pointerup", () => {
      if (last && moved < 4 && this.cursor) this.picked(...this.cursor);
      last = null;
    });
    stage.addEventListener("pointerleave", () => { this.cursor = null; this.draw(); });
    stage.addEventListener("pointermove", (e) => {
      if (last) {
        moved += Math.abs(e.clientX - last[0]) + Math.abs(e.clientY - last[1]);
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
  }

  /* --- Drawing --- */

  draw() {
    if (this.pending) return;
    this.pending = requestAnimationFrame(() => {
      this.pending = 0;
      for (const p of this.panes) this.drawPane(p);
      this.zoom.textContent = `${Math.round(this.scale * 100)} %`;
    });
  }

  drawPane(p) {
    const ratio = window.devicePixelRatio || 1, r = p.stage.getBoundingClientRect();
    const w = Math.max(1, Math.round(r.width * ratio)), h = Math.max(1, Math.round(r.height * ratio));
    if (p.canvas.width !== w) p.canvas.width = w;
    if (p.canvas.height !== h) p.canvas.height = h;
    const g = p.canvas.getContext("2d"), s = this.scale * ratio;
    const place = [s, 0, 0, s, Math.round(w / 2 - this.x * s), Math.round(h / 2 - this.y * s)];
    g.setTransform(1, 0, 0, 1, 0, 0);
    g.clearRect(0, 0, w, h);
    g.imageSmoothingEnabled = s < 1 || (s < 3 && s % 1 !== 0);
    g.imageSmoothingQuality = "high";
    if (this.mode === "slider") {
      this.drawHalf(g, place, this.halves[0], 0, this.split * w, h);
      this.drawHalf(g, place, this.halves[1], this.split * w, w, h);
      this.handle.style.left = `${this.split * 100}%`;
      this.handle.setAttribute("aria-valuenow", Math.round(this.split * 100));
    } else {
      this.drawHalf(g, place, this.showing(p), 0, w, h);
    }
    this.drawMarks(g, place);
    if (s >= 44) this.drawValues(g, place, p, w, h);
    this.label(p);
  }

  /* The source that a pane shows at the moment. */
  showing(p) {
    return p.source === "blink" ? this.halves[this.blinkOn ? 1 : 0] : p.source;
  }

  drawHalf(g, place, source, from, to, h) {
    const image = this.image(source);
    if (!image) return;
    g.save();
    g.beginPath();
    g.rect(from, 0, to - from, h);
    g.clip();
    g.setTransform(...place);
    g.drawImage(image, 0, 0);
    for (const over of this.overlays(source)) g.drawImage(over, 0, 0);
    g.restore();
  }

  drawMarks(g, place) {
    const frame = ([x0, y0, x1, y1], colour, out) => {
      const at = (x, y) => [x * place[0] + place[4], y * place[3] + place[5]];
      const [ax, ay] = at(x0, y0), [bx, by] = at(x1, y1);
      g.setTransform(1, 0, 0, 1, 0, 0);
      for (const [width, style] of [[3, "#000a"], [1.5, colour]]) {
        g.lineWidth = width;
        g.strokeStyle = style;
        g.strokeRect(ax - out, ay - out, bx - ax + 2 * out, by - ay + 2 * out);
      }
    };
    for (const box of this.boxes()) frame(...box);
    if (this.cursor && this.scale >= 4) frame([...this.cursor, this.cursor[0] + 1, this.cursor[1] + 1], "#fff", 0);
  }

  /* At this zoom the numbers fit into the pixels. */
  drawValues(g, place, p, w, h) {
    const source = this.mode === "slider" ? null : this.showing(p), [width, height] = this.size();
    const x0 = Math.max(0, Math.floor(-place[4] / place[0])), y0 = Math.max(0, Math.floor(-place[5] / place[3]));
    g.setTransform(1, 0, 0, 1, 0, 0);
    g.font = `${Math.min(13, place[0] / 4)}px ui-monospace, "DejaVu Sans Mono", monospace`;
    g.textAlign = "center";
    g.textBaseline = "middle";
    for (let y = y0; y < height && y * place[3] + place[5] < h; y++)
      for (let x = x0; x < width && x * place[0] + place[4] < w; x++) {
        const middle = (x + 0.5) * place[0] + place[4];
        const side = source || this.halves[middle < this.split * w ? 0 : 1];
        const values = this.valuesOf(side, x, y);
        if (!values) continue;
        const c = this.shownColour(side, x, y);
        g.fillStyle = 0.3 * c[0] + 0.6 * c[1] + 0.1 * c[2] > 140 ? "#000" : "#fff";
        values.forEach((v, i) =>
          g.fillText(v, middle, (y + (i + 0.6) / (values.length + 0.2)) * place[3] + place[5], place[0] - 4));
      }
  }

  label(p) {
    const [text, small] = this.title(this.mode === "slider" ? "slider" : this.showing(p));
    if (p.text === text + small) return;
    p.text = text + small;
    p.title.replaceChildren(text, make("span", small));
    p.canvas.setAttribute("aria-label", text);
  }
}

/* A part of the line of values under the panes: a name, a value, and the colour of a swatch. */
function pixelPart(name, text, swatch) {
  const e = make("span", `${name} `);
  e.dataset.part = name;
  if (swatch) {
    const i = make("i");
    i.style.background = `rgb(${swatch.slice(0, 3).join()})`;
    e.append(i);
  }
  e.append(make("b", text));
  return e;
}
