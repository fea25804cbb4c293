/* Page of the control panel. Names and values of the program become text, never markup. */
const $ = (id) => document.getElementById(id);
const make = (tag, text, cls) => {
  const e = document.createElement(tag);
  if (text !== undefined) e.textContent = text;
  if (cls) e.className = cls;
  return e;
};

/* --- Requests ------------------------------------------------------------------------------------ */

const Panel = {
  /* Answers the object, or null while the program does not answer. */
  async get(path) {
    try {
      const answer = await fetch(path, { cache: "no-store" });
      if (!answer.ok) throw new Error(String(answer.status));
      const object = await answer.json();
      $("gone").hidden = true;
      return object;
    } catch {
      $("gone").hidden = false;
      $("gone").textContent = "The program does not answer: it has ended, or it has no device.";
      return null;
    }
  },

  /* Answers the reason of a refusal; "": it is done. */
  async post(path, fields) {
    try {
      const answer = await fetch(path, {
        method: "POST", body: new URLSearchParams(fields), headers: { "X-Novem-Token": window.NOVEM.token },
      });
      if (answer.status === 403) location.reload(); // the program has been started again
      const object = await answer.json();
      return object.ok ? "" : object.error;
    } catch {
      return "the program does not answer";
    }
  },
};

/* --- Figures ------------------------------------------------------------------------------------- */

const Figures = {
  views: new Map(),
  paused: false,
  changes: -1,

  async run() {
    if (!this.paused) {
      const figures = await Panel.get("figures");
      if (figures && !this.paused) this.show(figures);
    }
    setTimeout(() => this.run(), $("gone").hidden ? 500 : 2000);
  },

  show(figures) {
    $("program").textContent = document.title = figures.program || "Novem";
    $("about").textContent = `Novem ${figures.version}, numerics ${figures.numerics}, ${figures.bits} bits, ` +
      `${figures.isa}, process ${figures.pid}`;
    for (const [number, view] of this.views)
      if (!figures.devices.some((d) => d.number === number)) {
        view.part.remove();
        this.views.delete(number);
      }
    for (const device of figures.devices) this.showDevice(device);
    $("no-device").hidden = figures.devices.length > 0;
    for (const id of ["screenshot", "capture"]) $(id).disabled = !figures.devices.length;
    if (figures.changes !== this.changes) Settings.load();
    this.changes = figures.changes;
    document.body.dataset.ready = "yes";
  },

  view(number) {
    if (!this.views.has(number)) {
      const part = make("div"), list = make("dl", undefined, "figures"), canvas = make("canvas");
      canvas.setAttribute("role", "img");
      part.append(list, canvas, make("p", undefined, "quiet"));
      $("devices").append(part);
      this.views.set(number, { part, list, canvas, note: part.lastChild });
    }
    return this.views.get(number);
  },

  showDevice(d) {
    const view = this.view(d.number), ms = (us) => `${(us / 1000).toFixed(1)} ms`;
    const rows = [
      ["Frames a second", d.mean_us ? (1e6 / d.mean_us).toFixed(1) : "–"], ["Mean time", ms(d.mean_us)],
      ["Worst time", ms(d.worst_us)], ["Draw calls", d.draws], ["Primitives", d.primitives.toLocaleString("en")],
      ["Resources", `${(d.bytes / 1048576).toFixed(1)} MiB`],
      ["Picture", d.width ? `${d.width} × ${d.height}` : "–"], ["Format", d.format ?? "–"],
      ["Mode", d.full_screen ? "full screen" : "window"], ["Threads", d.threads || "–"], ["Pipelines", d.pipelines.toLocaleString("en")], ["Frames", d.frames.toLocaleString("en")],
    ];
    view.list.replaceChildren(...rows.map(([name, value]) => {
      const row = make("div");
      row.append(make("dt", name), make("dd", String(value)));
      return row;
    }));
    view.canvas.setAttribute("aria-label", `Times of the last ${d.times_us.length} frames: mean ${ms(d.mean_us)}, worst ${ms(d.worst_us)}`);
    view.note.textContent = (this.views.size > 1 ? `Device ${d.number}. ` : "") +
      (d.idle_ms > 2000 ? `No frame for ${(d.idle_ms / 1000).toFixed(0)} s.` : "Times of the last 180 frames, newest on the right; the top is 50 ms.");
    if (d.message) $("done").textContent = d.message;
    this.draw(view.canvas, d.times_us);
  },

  /* Colours and limits are those of the HUD. */
  draw(canvas, times) {
    const scale = devicePixelRatio || 1, width = canvas.clientWidth * scale, height = canvas.clientHeight * scale;
    const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name);
    const colours = [colour("--good"), colour("--slow"), colour("--apart")], step = width / 180;
    canvas.width = width;
    canvas.height = height;
    const to = canvas.getContext("2d");
    times.forEach((us, i) => {
      const top = Math.max(scale, Math.min(1, us / 50000) * height);
      to.fillStyle = colours[us < 17000 ? 0 : us < 34000 ? 1 : 2];
      to.fillRect(width - (times.length - i) * step, height - top, Math.max(step - 0.5, 1), top);
    });
  },

  pause() {
    this.paused = !this.paused;
    $("pause").setAttribute("aria-pressed", this.paused);
  },
};

/* --- Settings ------------------------------------------------------------------------------------ */

const Settings = {
  fields: new Map(), /* name: { show(setting), wrong } */

  async load() {
    const all = await Panel.get("settings");
    if (!all) return;
    for (const setting of all.filter((s) => s.live).sort((a, b) => a.live - b.live)) this.showLive(setting);
    $("fixed").replaceChildren(...all.filter((s) => !s.live).map((s) => {
      const row = make("tr"), name = make("th", s.name), help = make("div", s.help, "quiet");
      name.scope = "row";
      name.append(help);
      row.append(name, make("td", s.value ?? "none"), make("td", s.origin));
      return row;
    }));
    const changed = all.filter((s) => s.changed);
    $("conf").textContent = changed.map((s) => `${s.name} = ${s.value ?? ""}`).join("\n");
    $("conf-none").hidden = changed.length > 0;
    $("conf").hidden = $("copy").hidden = !changed.length;
  },

  showLive(setting) {
    if (!this.fields.has(setting.name)) this.fields.set(setting.name, this.field(setting));
    const field = this.fields.get(setting.name);
    field.origin.textContent = `${setting.help} (${setting.origin}; a change applies at ${setting.when})`;
    if (!field.part.contains(document.activeElement)) field.show(setting.value ?? "");
  },

  async set(setting, value, wrong) {
    wrong.textContent = await Panel.post("set", { name: setting.name, value });
    await this.load();
  },

  /* The form of a field follows from what the setting accepts. */
  field(setting) {
    const part = make("div", undefined, "setting"), inside = make("div", undefined, "field");
    const name = make("span", setting.name, "name"), origin = make("p", undefined, "quiet"), wrong = make("p", undefined, "wrong");
    const apply = (value) => this.set(setting, value, wrong), number = /^a number from (\d+) to (\d+)/.exec(setting.accepts);
    const choices = /^[\w-]+(, [\w-]+)* or [\w-]+$/.test(setting.accepts) ? setting.accepts.split(/, | or /) : null;
    name.id = `name-${setting.name}`;
    origin.id = `help-${setting.name}`;
    wrong.setAttribute("role", "alert");
    const show = setting.items ? this.boxes(inside, name, setting.items, apply)
      : choices ? this.choice(inside, name, choices, apply) : this.input(inside, name, number, apply);
    for (const e of inside.querySelectorAll("select, input:not([type=checkbox])")) e.setAttribute("aria-describedby", origin.id);
    part.append(name, inside, wrong, origin);
    $("live").append(part);
    return { part, show, origin };
  },

  boxes(inside, name, items, apply) {
    const boxes = items.map((item) => {
      const label = make("label", undefined, "box"), box = make("input");
      box.type = "checkbox";
      box.value = item;
      box.addEventListener("change", () => apply(boxes.filter((b) => b.checked).map((b) => b.value).join(",")));
      label.append(box, item);
      inside.append(label);
      return box;
    });
    inside.setAttribute("role", "group");
    inside.setAttribute("aria-labelledby", name.id);
    return (value) => {
      const words = value.split(/[, ]+/);
      for (const box of boxes) box.checked = words.includes(box.value) || words.includes("full");
    };
  },

  choice(inside, name, choices, apply) {
    const select = make("select");
    select.append(...choices.map((c) => make("option", c)));
    select.setAttribute("aria-labelledby", name.id);
    select.addEventListener("change", () => apply(select.value));
    inside.append(select);
    return (value) => { select.value = choices.find((c) => c === value.toLowerCase()) ?? ""; };
  },

  input(inside, name, number, apply) {
    const input = make("input");
    input.type = number ? "number" : "text";
    if (number) [input.min, input.max] = number.slice(1);
    input.autocomplete = "off";
    input.spellcheck = false;
    input.setAttribute("aria-labelledby", name.id);
    input.addEventListener("change", () => apply(input.value));
    inside.append(input);
    return (value) => { input.value = value; };
  },
};

/* --- Actions and keys ---------------------------------------------------------------------------- */

async function act(name, said) {
  const wrong = await Panel.post("act", { name });
  $("done").textContent = wrong || said;
}

const ACTIONS = [
  ["s", "save the next frame as a PNG file", () => act("screenshot", "The next frame becomes a PNG file in SCREENSHOT_DIR.")],
  ["c", "record the next frame as a capture", () => act("capture", "The next frame becomes a capture in CAPTURE_DIR.")],
  ["p", "stop the figures, or go on", () => Figures.pause()],
  ["t", "dark or light", () => document.documentElement.classList.toggle("dark")],
  ["?", "this list", () => $("help").showModal()],
];

function press(e) {
  if (/^(INPUT|SELECT)$/.test(e.target.tagName) || e.ctrlKey || e.metaKey || e.altKey || $("help").open) return;
  const row = ACTIONS.find(([key]) => key === e.key);
  if (!row) return;
  e.preventDefault();
  row[2]();
}

if (matchMedia("(prefers-color-scheme: dark)").matches) document.documentElement.classList.add("dark");
["screenshot", "capture", "pause", "theme", "help-button"].forEach((id, i) => $(id).addEventListener("click", ACTIONS[i][2]));
$("keys").append(...ACTIONS.map(([key, text]) => {
  const row = make("tr"), head = make("th");
  head.scope = "row";
  head.append(make("kbd", key));
  row.append(head, make("td", text));
  return row;
}));
$("copy").addEventListener("click", async () => {
  try {
    await navigator.clipboard.writeText($("conf").textContent);
    $("done").textContent = "Copied.";
  } catch {
    getSelection().selectAllChildren($("conf"));
  }
});
document.addEventListener("keydown", press);
Figures.run();
