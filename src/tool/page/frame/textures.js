/* Textures that an event reads, or a resource that the reader chose: levels, faces, slices, channels. */
const FACES = ["+x", "−x", "+y", "−y", "+z", "−z"];

class TextureView extends PictureView {
  sources() { return ["texture"]; }
  title() {
    const p = this.pictures.texture;
    return [Textures.titleText || "Texture", p ? [`${p.width}×${p.height}`, p.format].filter(Boolean).join("  ") : ""];
  }
}

const Textures = {
  id: "textures", text: "Textures", key: "x",
  resource: null,

  start(panel) {
    this.view = new TextureView("textures");
    this.view.channels = "rgb";
    this.list = make("div", undefined, "textures");
    this.list.setAttribute("role", "radiogroup");
    this.list.setAttribute("aria-label", "Textures of the event");
    const redo = () => this.showPicture();
    this.level = select("Level", [], "", redo);
    this.face = select("Face", [], "", redo);
    this.slice = select("Slice", [], "", redo);
    this.when = select("When", [["now", "after this event"], ["end", "at the frame's end"]], "now", redo);
    this.labels = [labelled("Level", this.level), labelled("Face", this.face), labelled("Slice", this.slice), labelled("", this.when)];
    const controls = this.view.controls();
    panel.append(this.list, toolbars(toolbar("Part of the texture", ...this.labels, this.view.place), toolbar("How the texture is shown", ...controls)), this.view.host, this.view.line);
    this.note = make("p", "", "none");
    panel.append(this.note);
  },

  has(event) {
    return (event.textures || []).length > 0 || this.resource !== null;
  },

  open(event) {
    this.event = event;
    const bound = (event.textures || []).map((t) => ({ id: t.resource, name: t.name,
      text: /^\d+$/.test(t.sampler) ? `Sampler ${t.sampler}` : t.sampler }));
    if (this.resource !== null && !bound.some((b) => b.id === this.resource))
      bound.push({ id: this.resource, text: "Chosen" });
    const now = bound.find((b) => b.id === this.resource) || bound[0];
    this.list.replaceChildren(...bound.map((b) => this.entry(b, b === now)));
    this.list.hidden = bound.length < 2;
    return this.showResource(now);
  },

  entry(b, on) {
    const r = Frame.resources.get(b.id), e = button("", "", () => {
      this.resource = this.event.textures.some((t) => t.resource === b.id) ? null : b.id;
      for (const other of this.list.children) other.setAttribute("aria-checked", String(other === e));
      this.showResource(b);
    }, { role: "radio", "aria-checked": String(on) });
    const picture = make("span", undefined, "thumb");
    Thumbs.put(picture, this.keyOf(b.id, "end", 0, 0, 0), (a) => a);
    e.append(picture, make("b", b.name ? `${b.text}: ${b.name}` : b.text),
      make("small", r ? `${Frame.resourceName(b.id)} ${r.format || ""}` : Frame.resourceName(b.id)));
    return e;
  },

  keyOf(id, when, face, level, slice) { return `resource/${id}/${when}/${face}/${level}/${slice}`; },

  showResource(b) {
    const r = Frame.resources.get(b.id) || {};
    this.shown = b;
    const options = (n, text) => Array.from({ length: Math.max(1, n || 1) }, (_, i) => [i, text(i)]);
    this.level.fill(options(r.levels, (i) => `${i}${r.width ? `: ${Math.max(1, r.width >> i)}×${Math.max(1, r.height >> i)}` : ""}`), 0);
    this.face.fill(options(r.kind === "cube" ? 6 : r.faces, (i) => FACES[i]), 0);
    this.slices = r.kind === "volume" ? r.depth : 1;
    this.slice.fill(options(this.slices, String), 0);
    [this.level, this.face, this.slice].forEach((s, i) => { this.labels[i].hidden = s.options.length < 2; });
    this.labels[3].hidden = !LIVE;
    this.titleText = `${b.text}: ${Frame.resourceName(b.id)}`;
    return this.showPicture();
  },

  async showPicture() {
    const { shown, event } = this, when = LIVE && this.when.value === "now" ? event.call : "end";
    const key = this.keyOf(shown.id, when, this.face.value, this.level.value, this.slice.value);
    const token = this.token = {};
    let read = null, trouble = "";
    try {
      read = await Decoded.read(await Data.ask(key));
    } catch (e) {
      trouble = e.message;
    }
    if (this.token !== token) return;
    this.note.textContent = read ? "" : trouble || "There is no picture of this part.";
    this.view.host.hidden = !read;
    if (!read) return this.view.line.replaceChildren();
    const depth = isDepth(read.format);
    this.view.open({ texture: read }, "texture");
    if (depth !== this.depth) {
      this.depth = depth;
      depth ? this.view.autoRange() : this.view.setRange(0, 1);
    }
  },

  /* From the table of resources. */
  choose(id) {
    this.resource = id;
    Page.setTab("textures");
  },
};
