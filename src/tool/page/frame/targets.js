/* Targets of an event: before and after, the difference, overlays. */
const TARGET_MODES = [["after", "After", "After the event (1)"], ["before", "Before", "Before the event (2)"],
  ["side", "Side by side", "Side by side (3)"], ["slider", "Slider", "Slider (4)"], ["blink", "Blink", "Blink (5)"],
  ["difference", "Difference", "What the event changed (6)"]];
const OVERLAYS = { draw: "This draw", wireframe: "Wireframe", cost: "Instructions of the shader", overdraw: "Samples written", "depth-fail": "Depth test failures", "stencil-fail": "Stencil test failures",
  shaded: "Pixels shaded", quads: "Use of quads", "triangle-size": "Size of triangles" };

class TargetView extends PictureView {
  gain = 1;
  wanted = window.innerWidth >= 1900 ? "side" : "after"; /* a wide screen has room for all */
  overlay = null;

  sources() {
    if (this.mode === "side") return ["before", "after", "difference"];
    return [this.mode];
  }

  title(source) {
    const p = this.pictures[source], size = p ? `${p.width}×${p.height}` : "";
    return [{ before: "Before", after: "After", slider: "Before | After", difference: "Difference" }[source],
      source === "difference" ? `${count(this.changedPixels)} pixels` : [size, p?.format].filter(Boolean).join("  ")];
  }

  image(source) {
    if (source !== "difference") return super.image(source);
    if (!this.painted.has(source)) this.painted.set(source, this.paintDifference());
    return this.painted.get(source);
  }

  /* What the event changed: the root of the largest distance makes small changes visible. */
  paintDifference() {
    const { before, after } = this.pictures;
    if (!before?.data || !after?.data) return null;
    const floats = before.floats && after.floats, a = floats ? before.floats : before.data, b = floats ? after.floats : after.data;
    const channels = this.shownChannels(after), all = this.channels === "rgb" && !isSingle(after.format) ? [0, 1, 2, 3] : channels;
    const unit = Math.abs(this.high - this.low) * (floats ? 1 : 255) || 1, least = (before.step || 0) + (after.step || 0);
    let changed = 0;
    const canvas = paint((i) => {
      let d = 0;
      for (const k of all) d = Math.max(d, Math.abs(b[4 * i + k] - a[4 * i + k]));
      if (d <= least) d = 0;
      if (d > 0) changed++;
      return RAMP_256[d > 0 ? Math.min(255, Math.round(40 + 215 * Math.sqrt(Math.min(1, d / unit)))) : 0];
    }, after);
    this.changedPixels = changed;
    return canvas;
  }

  valuesOf(source, x, y) {
    if (source !== "difference") return super.valuesOf(source, x, y);
    const a = this.at("before", x, y), b = this.at("after", x, y);
    return a && b && this.shownChannels(this.pictures.after).map((k) => number(b[k] - a[k]));
  }

  overlays(source) {
    return source === "after" && this.overlay ? [this.overlay] : [];
  }

  readPixel() {
    super.readPixel();
    if (!this.cursor) return;
    const a = this.at("before", ...this.cursor), b = this.at("after", ...this.cursor);
    if (!a || !b) return;
    const channels = isSingle(this.pictures.after.format) ? [0] : [0, 1, 2, 3];
    const part = pixelPart("difference", channels.map((k) => (b[k] > a[k] ? "+" : "") + number(b[k] - a[k])).join(" "));
    if (channels.some((k) => a[k] !== b[k])) part.querySelector("b").className = "apart";
    this.line.append(part);
  }

  hint() {
    return LIVE ? "Point at a pixel to read it, click for its history; wheel or + zooms." : super.hint();
  }

  picked(x, y) {
    Targets.history(x, y);
  }
}

const Targets = {
  id: "targets", text: "Targets", key: "v",
  slot: null, /* the slot that the reader wants, kept from event to event */

  start(panel) {
    this.view = new TargetView("targets");
    this.slots = choice("Target", [], null, (i) => { this.slot = this.event.targets[i].slot; this.showTarget(); });
    this.modes = choice("View", TARGET_MODES, "after", (mode) => this.setMode(mode));
    this.overlays = select("Overlay", [["", "No overlay"]], "", (kind) => this.setOverlay(kind));
    const controls = this.view.controls();
    this.historyButton = button("History", "History of the pixel (h)", () => this.history(...(this.view.cursor || [+this.view.at_x.value, +this.view.at_y.value])));
    if (LIVE) this.view.place.append(this.historyButton);
    panel.append(toolbars(toolbar("Targets", this.slots, this.modes, this.overlays, this.view.place), toolbar("How pictures are shown", ...controls)),
      this.view.host, this.view.line);
    this.note = make("p", "", "none");
    panel.append(this.note);
  },

  has: (event) => (event.targets || []).some((t) => t.before || t.after),

  open(event) {
    this.event = event;
    const shown = event.targets.map((t, i) => [i, `${t.slot === "depth" ? "Depth" : t.slot.replace(/^target /, "Target ")}`,
      `${Frame.resourceName(t.resource)}, ${t.format || ""} ${t.width}×${t.height}`]).filter(([i]) => event.targets[i].before || event.targets[i].after);
    this.slots.fill(shown);
    const kept = shown.find(([i]) => event.targets[i].slot === this.slot) || shown[0];
    this.slots.set(kept[0]);
    this.slots.hidden = shown.length < 2;
    const kinds = event.kind === "draw" ? event.overlays || Frame.data.overlays || [] : [];
    this.overlays.fill([["", "No overlay"], ...kinds.map((k) => [k, OVERLAYS[k] || k])], "");
    this.overlays.hidden = !kinds.length;
    this.view.overlay = null;
    return this.showTarget();
  },

  async showTarget() {
    const event = this.event, target = this.target = event.targets[this.slots.value];
    let before = null, after = null, trouble = "";
    try {
      [before, after] = await Promise.all([Decoded.read(target.before), Decoded.read(target.after)]);
    } catch (e) {
      trouble = e.message;
    }
    if (this.event !== event || this.target !== target) return;
    this.note.textContent = trouble || (before || after ? "" : "The pictures cannot be read.");
    this.view.host.hidden = !before && !after;
    const both = !!(before && after), exact = !!(before?.data && after?.data);
    const modes = TARGET_MODES.filter(([m]) => (m === "after" ? after : m === "before" ? before : m === "difference" || m === "side" ? exact : both));
    this.modes.fill(modes);
    this.modes.hidden = modes.length < 2;
    const mode = modes.find(([m]) => m === this.view.wanted)?.[0] || modes[0]?.[0];
    this.modes.set(mode);
    this.view.changedPixels = undefined;
    if (!mode) return;
    this.setKindOfRange(after || before);
    this.view.open({ before, after }, mode);
    if (exact) this.view.image("difference");
    this.historyButton.hidden = !LIVE;
  },

  /* Depth values lie close together: their range is that of the picture. */
  setKindOfRange(picture) {
    const kind = isDepth(picture.format) ? "depth" : picture.floats ? "float" : "colour";
    if (kind === this.kind) return;
    this.kind = kind;
    this.view.low = 0;
    this.view.high = 1;
    this.view.pictures = { after: picture };
    if (kind === "depth") this.view.autoRange();
    else this.view.setRange(0, 1);
  },

  setMode(mode) {
    if (![...this.modes.children].some((b) => b.dataset.value === mode)) return;
    this.view.wanted = mode;
    this.modes.set(mode);
    this.view.show(mode);
  },

  async setOverlay(kind) {
    const event = this.event;
    this.view.overlay = null;
    if (kind) {
      const read = await Data.ask(`event/${event.call}/overlay/${kind}`).then((p) => Decoded.read(p)).catch((e) => {
        this.note.textContent = e.message;
        return null;
      });
      if (this.event !== event || this.overlays.value !== kind) return;
      if (read) {
        const { data } = read;
        this.view.overlay = data ? paint((i) => Array.from(data.subarray(4 * i, 4 * i + 4)), read) : read.image;
        this.view.overlayKind = kind;
        if (this.view.mode !== "after") this.setMode("after");
      } else {
        this.note.textContent ||= "This overlay has no picture.";
        this.overlays.value = "";
      }
    }
    this.view.draw();
  },

  history(x, y) {
    const [w, h] = this.view.size(), [px, py] = [x, y].map(Math.floor);
    if (LIVE && px >= 0 && py >= 0 && px < w && py < h) Page.showPixel(this.event.call, this.target, px, py);
  },
};
