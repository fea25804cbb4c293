/* Viewer of decoded pictures with channels, alpha, range and exposure, and its toolbar. Targets and
 * textures extend it with the pictures that they show. */
const CHANNELS = [["rgb", "RGB"], ["rgba", "RGBA", "Colours over a chequered ground by their alpha"],
  ["r", "R"], ["g", "G"], ["b", "B"], ["a", "A", "Alpha as grey (a)"]];
const isDepth = (format) => /^(D(16|24|32|15)|INTZ|DF(16|24)|RAWZ)/.test(format || "");
const isFloat = (format) => /\dF$/.test(format || "");
const isSingle = (format) => isDepth(format) || /^(R16F|R32F|L8|L16|A8|ATI1)$/.test(format || "");

class PictureView extends Viewer {
  channels = "rgb";
  low = 0;
  high = 1;
  pictures = {}; /* decoded, by source */
  painted = new Map();
  halves = ["before", "after"];
  handleLabel = "Before left, after right of it";

  constructor(id) {
    const host = make("div", undefined, "panes"), zoom = make("output", "100 %", "zoom");
    super(host, zoom, `${id}-slider`);
    this.id = id;
    zoom.setAttribute("aria-label", "Zoom");
    this.line = make("div", undefined, "pixel");
    this.line.setAttribute("role", "status");
    this.line.setAttribute("aria-label", "Pixel under the pointer");
  }

  /* Groups of controls for a toolbar; `place` (of a pixel) is another one. */
  controls() {
    this.channelChoice = choice("Channels", CHANNELS, this.channels, (v) => this.setChannels(v));
    const entry = (label, value) => {
      const e = make("input");
      e.type = "number";
      e.step = "any";
      e.value = value;
      e.className = "range";
      e.setAttribute("aria-label", label);
      e.addEventListener("change", () => this.setRange(+this.from.value, +this.to.value));
      return e;
    };
    this.from = entry("Value shown as black", 0);
    this.to = entry("Value shown as white", 1);
    this.auto = button("Auto", "Range of the values (e)", () => this.autoRange());
    this.exposure = make("input");
    Object.assign(this.exposure, { type: "range", min: -8, max: 8, step: 0.5, value: 0, className: "exposure" });
    this.exposure.setAttribute("aria-label", "Exposure in stops");
    this.exposure.addEventListener("input", () => this.setRange(0, 2 ** -this.exposure.value));
    this.rangeGroup = group(make("span", "Range"), this.from, this.to, this.auto,
      button("Reset", "Range 0 to 1", () => this.setRange(0, 1)), labelled("Exposure", this.exposure));
    this.place = group(...["x", "y"].map((axis) => {
      const e = this[`at_${axis}`] = make("input");
      e.type = "number";
      e.min = 0;
      e.className = "place";
      e.placeholder = axis;
      e.setAttribute("aria-label", `${axis} of a pixel`);
      e.addEventListener("change", () => this.goTo(+this.at_x.value, +this.at_y.value));
      return e;
    }));
    this.place.prepend(make("span", "Pixel"));
    return [this.channelChoice, this.rangeGroup,
      group(button("−", "Zoom out (-)", () => this.zoomBy(0.5), { "aria-label": "Zoom out" }), this.zoom,
        button("+", "Zoom in (+)", () => this.zoomBy(2), { "aria-label": "Zoom in" }),
        button("Fit", "Whole picture (0)", () => this.fit()))];
  }

  /* Shows decoded pictures by source; a new size resets zoom and position. */
  open(pictures, mode) {
    const old = this.size();
    this.pictures = pictures;
    this.painted.clear();
    this.rangeGroup.hidden = this.place.hidden = this.channelChoice.hidden = !this.readable();
    const [w, h] = this.size();
    if (old[0] !== w || old[1] !== h) this.fitted = true;
    this.cursor = null;
    this.readPixel();
    this.show(mode);
  }

  /* The panes and the line of values below end with the window. */
  heightLimits() {
    const top = this.host.getBoundingClientRect().top + $("event").scrollTop + window.scrollY;
    return [200, Math.max(260, window.innerHeight - top - 66)];
  }

  readable() {
    return Object.values(this.pictures).some((p) => p?.data);
  }

  size() {
    const all = Object.values(this.pictures).filter(Boolean);
    return all.length ? [Math.max(...all.map((p) => p.width)), Math.max(...all.map((p) => p.height))] : [1, 1];
  }

  setChannels(value) {
    this.channels = value;
    this.channelChoice.set(value);
    this.host.classList.toggle("by-alpha", value === "rgba");
    this.repaint();
  }

  setRange(low, high) {
    if (!Number.isFinite(low) || !Number.isFinite(high)) return;
    this.low = low;
    this.high = high;
    this.from.value = number(low);
    this.to.value = number(high);
    this.repaint();
  }

  /* Smallest and largest finite value of the shown channels. */
  autoRange() {
    let low = Infinity, high = -Infinity;
    for (const p of Object.values(this.pictures)) {
      if (!p?.data) continue;
      const channels = this.shownChannels(p), values = p.floats || p.data, unit = p.floats ? 1 : 255;
      for (let i = 0; i < values.length; i += 4)
        for (const k of channels) {
          const v = values[i + k] / unit;
          if (v < low && v > -Infinity) low = v;
          if (v > high && v < Infinity) high = v;
        }
    }
    if (low <= high) this.setRange(low, high > low ? high : low + 1e-6);
  }

  shownChannels(picture) {
    if (isSingle(picture.format) && this.channels !== "a") return [0];
    return { rgb: [0, 1, 2], rgba: [0, 1, 2], r: [0], g: [1], b: [2], a: [3] }[this.channels];
  }

  repaint() {
    this.painted.clear();
    this.draw();
  }

  /* The canvas of a source under the present channels and range. */
  image(source) {
    if (this.painted.has(source)) return this.painted.get(source);
    const p = this.pictures[source];
    const canvas = p && (p.data ? this.paintPicture(p) : p.image);
    this.painted.set(source, canvas || null);
    return canvas;
  }

  paintPicture(p) {
    const channels = this.shownChannels(p), one = channels.length === 1, n = p.width * p.height;
    const canvas = canvasOf(p.width, p.height), image = new ImageData(p.width, p.height), out = image.data;
    const values = p.floats || p.data, factor = 255 / (this.high - this.low || 1e-9) / (p.floats ? 1 : 255);
    const offset = (-this.low * 255) / (this.high - this.low || 1e-9);
    for (let i = 0; i < 4 * n; i += 4) {
      for (let k = 0; k < 3; k++) out[i + k] = values[i + (one ? channels[0] : k)] * factor + offset;
      out[i + 3] = this.channels === "rgba" ? p.data[i + 3] : 255;
    }
    canvas.getContext("2d").putImageData(image, 0, 0);
    canvas.pixels = out;
    return canvas;
  }

  /* --- Values --- */

  /* RGBA of a pixel: exact values if there are any, else bytes; null outside. */
  at(source, x, y) {
    const p = this.pictures[source];
    if (!p?.data || x < 0 || y < 0 || x >= p.width || y >= p.height) return null;
    const i = 4 * (y * p.width + x);
    return Array.from((p.floats || p.data).subarray(i, i + 4));
  }

  valuesOf(source, x, y) {
    const v = this.at(source, x, y);
    return v && this.shownChannels(this.pictures[source]).map((k) => number(v[k]));
  }

  /* Values of a pixel as text, with its bytes for a swatch. */
  told(source, x, y) {
    const v = this.at(source, x, y), p = this.pictures[source];
    if (!v) return null;
    const i = 4 * (y * p.width + x), bytes = Array.from(p.data.subarray(i, i + 4));
    const part = (k) => number(!p.floats && isFloat(p.format) ? v[k] / 255 : v[k]);
    const text = isSingle(p.format) ? part(0) : v.map((_, k) => part(k)).join(" ");
    return [p.step || (!p.floats && isFloat(p.format)) ? `≈ ${text}` : p.floats ? text : `${text}  #${bytes.map(hex).join("")}`, bytes];
  }

  names() { return Object.keys(this.pictures); }

  readPixel() {
    if (!this.cursor)
      return this.line.replaceChildren(this.readable() ? this.hint() : "");
    const [x, y] = this.cursor, parts = [];
    for (const source of this.names()) {
      const told = this.told(source, x, y);
      if (told) parts.push(pixelPart(source, ...told));
    }
    this.line.replaceChildren(...(parts.length ? [pixelPart("at", `${x}, ${y}`), ...parts] : []));
  }

  hint() { return "Point at a pixel to read it; wheel or + zooms."; }

  /* For keys: the pixel becomes the one under the pointer. */
  goTo(x, y) {
    const [w, h] = this.size();
    if (!(x >= 0 && y >= 0 && x < w && y < h)) return;
    this.cursor = [x, y];
    this.fitted = false;
    this.scale = Math.max(this.scale, 8);
    this.x = x + 0.5;
    this.y = y + 0.5;
    this.draw();
    this.readPixel();
  }
}
