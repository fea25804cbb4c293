/* Changes of a draw: another shader, state or constant; what the server draws with them beside what was captured. */
class EditView extends TargetView {
  title(source) {
    const [name, facts] = super.title(source);
    return [{ before: "As captured", after: "Changed", slider: "As captured | changed" }[source] || name, facts];
  }

  names() { return ["before", "after"]; }

  hint() { return "Point at a pixel to read it as captured (before) and changed (after); wheel or + zooms."; }

  picked(x, y) { this.goTo(x, y); }
}

const EDIT_MODES = TARGET_MODES.map(([mode, text]) => [mode, { before: "As captured", after: "Changed" }[mode] || text]);

const Edit = {
  id: "edit", text: "Edit", key: "w",
  forms: new Map(), /* by call: {changes, texts, result} */

  start(panel) {
    this.place = this.entry("State or constant", "ZFUNC, sampler0:MINFILTER, ps:c0");
    this.place.setAttribute("list", "edit-places");
    this.places = make("datalist");
    this.places.id = "edit-places";
    this.value = this.entry("Value", "ALWAYS, 0x80ff0000, 1,0,0,1");
    this.place.addEventListener("change", () => { this.value.value = this.valueOf(this.place.value) ?? this.value.value; });
    this.list = make("ul", undefined, "changes");
    this.stages = ["vertex", "pixel"].map((stage) => this.stage(stage));
    this.run = button("Look again", "Draw with these changes (Ctrl+Enter)", () => this.apply());
    this.trouble = make("p", "", "failed");
    this.trouble.setAttribute("role", "alert");
    this.done = make("p", "", "quiet");
    this.done.setAttribute("role", "status");
    const change = card("Changes of this draw",
      toolbar("A state or constant", labelled("State or constant", this.place), labelled("Value", this.value), button("Add", "Add this change", () => this.add()), this.places),
      this.list, ...this.stages.map((s) => s.part),
      toolbar("What to do", this.run, button("Reset", "No changes", () => this.reset())), this.trouble, this.done);
    change.addEventListener("keydown", (e) => {
      if (e.key === "Enter" && (e.ctrlKey || e.metaKey)) this.apply();
      else if (e.key === "Enter" && e.target === this.value) this.add();
    });
    panel.append(change, this.makeResult());
  },

  entry(label, placeholder) {
    const e = make("input");
    e.autocomplete = "off";
    e.spellcheck = false;
    e.placeholder = placeholder;
    e.setAttribute("aria-label", label);
    return e;
  },

  stage(stage) {
    const box = make("input"), text = make("textarea"), part = make("div");
    box.type = "checkbox";
    text.rows = 12;
    text.spellcheck = false;
    text.setAttribute("aria-label", `Text of the ${stage} shader`);
    text.className = "asm";
    text.hidden = true;
    box.addEventListener("change", () => this.setStage(stage, box.checked));
    text.addEventListener("input", () => { this.form.texts[stage] = text.value; });
    const letter = stage === "pixel" ? "ps" : "vs", how = this.entry(`Profile of the ${stage} shader`, `${letter}_3_0`);
    how.addEventListener("input", () => { this.form.profiles[stage] = how.value; });
    const profile = labelled("Profile of HLSL", how);
    profile.hidden = true;
    const label = make("label", undefined, "group");
    label.append(box, ` Another ${stage} shader, in assembly or HLSL`);
    part.append(label, text, profile);
    return { stage, box, text, part, profile, how };
  },

  makeResult() {
    this.view = new EditView("edit");
    this.shown = choice("Picture", [], null, (i) => this.show(i));
    this.modes = choice("View", EDIT_MODES, "side", (mode) => { this.view.wanted = mode; this.view.show(mode); });
    this.view.wanted = "side";
    const controls = this.view.controls();
    this.command = make("pre");
    this.command.tabIndex = 0;
    this.command.setAttribute("aria-label", "Command line");
    this.files = toolbar("Files");
    this.result = make("div", undefined, "panel");
    this.result.append(toolbar("Changed pictures", this.shown, this.modes, this.view.place), toolbar("How changed pictures are shown", ...controls),
      this.view.host, this.view.line, card("Save as a capture", this.command, this.files));
    this.result.hidden = true;
    return this.result;
  },

  has: (event) => LIVE && event.kind === "draw" && !!event.states,

  open(event) {
    if (!this.forms.has(event.call)) this.forms.set(event.call, { changes: [], texts: {}, profiles: {}, on: {}, result: null });
    this.event = event;
    this.form = this.forms.get(event.call);
    this.places.replaceChildren(...[...event.states.filter((s) => /^(render state|.*sampler.*|stage \d)$/.test(s.group)).map((s) => this.stateName(s)), ...this.constants().keys()].map((name) => {
      const o = make("option");
      o.value = name;
      return o;
    }));
    this.trouble.textContent = this.done.textContent = "";
    for (const s of this.stages) {
      s.box.checked = !!this.form.on[s.stage];
      s.text.hidden = !s.box.checked;
      s.profile.hidden = s.text.hidden;
      s.text.value = this.form.texts[s.stage] ?? "";
      s.how.value = this.form.profiles[s.stage] ?? "";
    }
    this.showChanges();
    return this.showResult();
  },

  /* --- The form --- */

  stateName: (s) => (s.group === "render state" ? s.name : `${s.group.replace(/ /g, "")}:${s.name}`),

  /* Constants of the draw: name to value. */
  constants() {
    const all = new Map();
    for (const [stage, letter] of [["vertex", "vs"], ["pixel", "ps"]])
      for (const [kind, list] of Object.entries(this.event.constants?.[stage] || {}))
        for (const c of list) all.set(`${letter}:${Constants.LETTERS[kind]}${c.register}`, [c.value].flat().join(","));
    return all;
  },

  /* The value that the draw has. */
  valueOf(name) {
    const state = this.event.states.find((s) => this.stateName(s).toLowerCase() === name.toLowerCase());
    return state ? state.value : this.constants().get(name);
  },

  add() {
    const place = this.place.value.trim(), value = this.value.value.trim();
    if (!place || !value) {
      this.trouble.textContent = "A change has a name and a value.";
      return;
    }
    this.trouble.textContent = "";
    this.form.changes = this.form.changes.filter((c) => c.place !== place);
    this.form.changes.push({ place, value });
    this.place.value = this.value.value = "";
    this.place.focus();
    this.showChanges();
  },

  showChanges() {
    this.list.replaceChildren(...this.form.changes.map((c) => {
      const item = make("li"), was = this.valueOf(c.place);
      item.append(make("code", `${c.place}=${c.value}`), make("span", was === undefined ? "" : ` was ${was} `, "quiet"),
        button("Remove", `Without the change of ${c.place}`, () => {
          this.form.changes = this.form.changes.filter((other) => other !== c);
          this.showChanges();
          this.place.focus();
        }));
      return item;
    }));
  },

  async setStage(stage, on) {
    const form = this.form, part = this.stages.find((s) => s.stage === stage);
    form.on[stage] = on;
    part.text.hidden = part.profile.hidden = !on;
    if (!on || form.texts[stage] !== undefined) return;
    const id = this.event.shaders?.[stage], shader = id && (await Data.ask(`shader/${id}`).catch(() => null));
    form.texts[stage] ??= shader && !shader.fixed ? shader.lines.map((l) => l.text).join("\n") : "";
    form.profiles[stage] ??= /\b[pv]s_[23]_\w+/.exec(form.texts[stage])?.[0] ?? ""; /* that of the draw */
    if (this.form !== form) return;
    part.text.value = form.texts[stage];
    part.how.value = form.profiles[stage];
  },

  reset() {
    this.forms.delete(this.event.call);
    this.open(this.event);
    this.place.focus();
  },

  request() {
    const isConstant = (c) => /^[pv]s:/i.test(c.place), texts = (list) => list.map((c) => `${c.place}=${c.value}`);
    const request = { call: this.event.call, set: texts(this.form.changes.filter((c) => !isConstant(c))),
      constants: texts(this.form.changes.filter(isConstant)) };
    for (const s of this.stages.filter((part) => this.form.on[part.stage])) {
      request[s.stage] = s.text.value;
      if (s.how.value.trim()) (request.profiles ??= {})[s.stage] = s.how.value.trim();
    }
    return request;
  },

  /* --- Drawing again --- */

  async apply() {
    const { event, form } = this, request = this.request();
    this.trouble.textContent = "";
    this.done.textContent = "Drawing …";
    this.run.disabled = true;
    document.body.dataset.ready = "";
    try {
      const response = await fetch(`edit${QUERY}`, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(request) });
      const answer = await response.json().catch(() => null);
      if (!response.ok || !answer?.edit) throw new Error(answer?.error || `The server answers ${response.status}.`);
      form.result = { request, id: answer.edit, command: answer.command, pictures: await this.pictures(event, answer.edit) };
      if (this.form === form) await this.showResult();
    } catch (e) {
      if (this.form === form) this.trouble.textContent = e.message;
    }
    if (this.form === form) this.done.textContent = this.trouble.textContent ? "" : `Drawn with ${several(request.set.length + request.constants.length + ("vertex" in request) + ("pixel" in request), "change")}.`;
    this.run.disabled = false;
    document.body.dataset.ready = `${event.call} edit`;
  },

  /* [{name, before, after}]: each target after the draw, and at the frame's end. */
  async pictures(event, id) {
    const changed = await Data.ask(`edit/${id}/event/${event.call}`), found = [];
    const name = (t) => (t.slot === "depth" ? "Depth" : t.slot.replace(/^target /, "Target "));
    event.targets.forEach((t, i) => {
      const after = changed?.targets?.[i]?.after;
      if (t.after && after) found.push({ name: `${name(t)} after the draw`, before: t.after, after });
    });
    const ends = await Promise.all(event.targets.map(async (t) => {
      const volume = Frame.resources.get(t.resource)?.kind === "volume";
      const key = `resource/${t.resource}/end/${volume ? 0 : t.face}/${t.level}/${volume ? t.face : 0}`;
      const [before, after] = await Promise.all([Data.ask(key), Data.ask(`edit/${id}/${key}`)]);
      return before && after && { name: `${name(t)} at the end`, before, after };
    }));
    return [...found, ...ends.filter(Boolean)];
  },

  showResult() {
    const { result } = this.form;
    this.result.hidden = !result;
    if (!result) return undefined;
    this.command.textContent = result.command;
    const file = (s) => new RegExp(`--${s}-shader (${s}\\.\\w+)`).exec(result.command)?.[1] ?? `${s}.asm`;
    const files = [button("Copy the command", "", () => this.copy(result.command)),
      ...["vertex", "pixel"].filter((s) => s in result.request).map((s) => button(`Save ${file(s)}`, "The shader that the command names", () => this.save(file(s), result.request[s])))];
    const link = make("a", "Download the capture");
    link.href = `data/edit/${result.id}/capture${QUERY}`;
    link.download = "edited.trace";
    this.files.replaceChildren(...files, link);
    this.shown.fill(result.pictures.map((p, i) => [i, p.name, p.before.file === p.after.file ? "no difference" : ""]));
    const at = Math.max(0, result.pictures.findIndex((p) => p.name === this.wanted));
    this.shown.set(at);
    return this.show(at);
  },

  async show(i) {
    const { form } = this, picture = form.result.pictures[i];
    if (!picture) return;
    this.wanted = picture.name;
    const [before, after] = await Promise.all([Decoded.read(picture.before), Decoded.read(picture.after)]);
    if (this.form !== form || this.wanted !== picture.name || !before || !after) return;
    Targets.setKindOfRange.call(this, after);
    this.view.changedPixels = undefined;
    this.modes.set(this.view.wanted);
    this.view.open({ before, after }, this.view.wanted);
    this.view.image("difference");
    this.view.draw();
  },

  async copy(text) {
    try {
      await navigator.clipboard.writeText(text);
      this.done.textContent = "The command is copied.";
    } catch {
      getSelection().selectAllChildren(this.command);
      this.done.textContent = "The command is selected.";
    }
  },

  save(name, text) {
    const link = make("a");
    link.href = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  },
};
