/* The page: loads the frame, opens events and tabs, keeps both in the address, handles keys. */
const Frame = {
  data: null, events: [], passes: [], film: [],
  byCall: new Map(),
  data_resources: [],
  resources: new Map(),
  costs: null,

  async load() {
    const data = await Data.ask("frame");
    if (!data) throw new Error("data/frame.js is not beside this page");
    this.data = data;
    this.events = data.events || [];
    this.passes = data.passes || [];
    this.film = data.film || [];
    for (const e of this.events) this.byCall.set(e.call, e);
    /* A server counts and measures costs for seconds: the page does not wait. */
    const asked = Data.ask("costs").catch(() => null).then((costs) => { this.costs = costs; Page.addCosts(); });
    const compared = Data.ask("candidate").catch((e) => { Candidate.trouble = e.message; return null; }).then((found) => {
      Candidate.take(found);
      Page.addCosts();
    });
    const resources = await Data.ask("resources").catch(() => null);
    this.data_resources = resources?.resources || [];
    for (const r of this.data_resources) this.resources.set(r.id, r);
    if (!LIVE) await Promise.all([asked, compared]);
  },

  resourceName(id) {
    const r = this.resources.get(id);
    return r ? `${r.kind} ${id}` : `resource ${id}`;
  },
};

const TABS = [Targets, Textures, Mesh, State, Constants, Shaders, Call, Pixel, Steps, ...(LIVE ? [Edit] : []), Candidate, Resources, Costs];

const Page = {
  call: null, tab: "targets", event: null,

  makeTabs() {
    for (const t of TABS) {
      const tab = t.button = button(t.text, `${t.text} (${t.key})`, () => this.setTab(t.id), { role: "tab", id: `tab-${t.id}`, "aria-controls": `panel-${t.id}` });
      const panel = t.panel = make("div", undefined, "panel");
      panel.id = `panel-${t.id}`;
      panel.setAttribute("role", "tabpanel");
      panel.setAttribute("aria-labelledby", tab.id);
      panel.hidden = true;
      if (t.frame) tab.classList.add("of-frame");
      $("tabs").append(tab);
      $("panels").append(panel);
      t.start(panel);
    }
    $("tabs").addEventListener("keydown", (e) => {
      const by = { ArrowRight: 1, ArrowLeft: -1 }[e.key];
      if (!by) return;
      e.preventDefault();
      e.stopPropagation();
      this.stepTab(by);
      TABS.find((t) => t.id === this.shownTab)?.button.focus();
    });
  },

  usable() { return TABS.filter((t) => t.has(this.event || {})); },

  stepTab(by) {
    const all = this.usable(), at = all.findIndex((t) => t.id === this.shownTab), to = all[(at + by + all.length) % all.length];
    if (to) this.setTab(to.id);
  },

  setTab(id) {
    if (!TABS.find((t) => t.id === id)?.has(this.event || {})) return;
    this.tab = id;
    this.refreshTabs();
  },

  /* Shows the tab that the reader wants, or the first with data. */
  refreshTabs() {
    const usable = this.usable(), now = usable.find((t) => t.id === this.tab) || usable[0];
    this.shownTab = now?.id;
    for (const t of TABS) {
      const on = t === now;
      t.button.hidden = !usable.includes(t);
      t.button.setAttribute("aria-selected", String(on));
      t.button.tabIndex = on ? 0 : -1;
      t.panel.hidden = !on;
    }
    $("none").textContent = now ? "" : "This event has no data to show.";
    this.keepAddress();
    return now && this.openTab(now);
  },

  /* Costs have come after the page was shown. */
  addCosts() {
    if (!this.event) return;
    if (this.tab === "costs" || this.shownTab === "shaders") this.refreshTabs();
    else for (const t of TABS) t.button.hidden = !t.has(this.event);
  },

  async openTab(t) {
    const event = this.event;
    document.body.dataset.ready = "";
    try {
      await t.open(event);
    } catch (e) {
      if (this.event === event && this.shownTab === t.id) $("none").textContent = e.message;
    }
    if (this.event === event && this.shownTab === t.id) document.body.dataset.ready = `${this.call} ${t.id}`;
  },

  keepAddress() {
    history.replaceState(null, "", `${QUERY || location.search}#call=${this.call}&tab=${this.tab}`);
  },

  /* Opens an event. */
  async go(call, tab) {
    const listed = Frame.byCall.get(call);
    if (!listed) return;
    if (tab) this.tab = tab;
    if (this.call === call && this.event) {
      Tree.reveal(call);
      return this.refreshTabs();
    }
    this.call = call;
    Tree.reveal(call);
    this.showHead(listed);
    let event = null, trouble = "";
    try {
      event = await Data.ask(`event/${call}`);
    } catch (e) {
      trouble = e.message;
    }
    if (this.call !== call) return;
    this.event = { ...listed, ...event };
    await this.refreshTabs();
    if (trouble) $("none").textContent = trouble;
  },

  showAbout() {
    const d = Frame.data;
    $("about").textContent = [d.program, `frame ${d.frame}${d.frames ? ` of ${count(d.frames)}` : ""}`, d.width && `${d.width}×${d.height}`,
      `Novem ${d.novem}, numerics ${d.numerics}`].filter(Boolean).join("  ·  ");
    $("about").title = $("about").textContent;
  },

  showHead(e) {
    document.title = `${e.call} – ${Frame.data.capture || "frame"}`;
    $("badge").textContent = e.kind;
    $("badge").dataset.kind = e.kind;
    $("name").textContent = e.what || e.name;
    $("what").textContent = `${e.name}, call ${e.call}`;
  },

  showPixel(call, target, x, y) {
    Pixel.asked = { call, resource: target.resource, slot: target.slot, x, y };
    this.tab = "pixel";
    this.refreshTabs();
  },

  /* The call and tab of the address. */
  asked() {
    const hash = new URLSearchParams(location.hash.slice(1)), call = +hash.get("call");
    return [Frame.byCall.has(call) && hash.has("call") ? call : null, TABS.find((t) => t.id === hash.get("tab"))?.id];
  },

  /* The view of pictures that keys act on. */
  view() {
    const t = TABS.find((tab) => tab.id === this.shownTab);
    return t === Targets || t === Textures || t?.id === "edit" || t === Candidate ? t.view : null;
  },
};

const onTargets = (act) => () => { if (Page.shownTab === "targets") act(); };
const onSteps = (act) => () => { if (Page.shownTab === "steps") act(); };
const onView = (act) => () => { if (Page.view()) act(Page.view()); };
const PAGE_KEYS = [
  ["j ↓", "next event", () => Tree.step(1)], ["k ↑", "event before", () => Tree.step(-1)],
  ["/", "find events", () => $("search").focus()],
  ["]", "next tab", () => Page.stepTab(1)], ["[", "tab before", () => Page.stepTab(-1)],
  ...TABS.map((t) => [t.key, t.text.toLowerCase(), () => Page.setTab(t.id)]),
  ...TARGET_MODES.map(([mode, text], i) => [String(i + 1), `targets: ${text.toLowerCase()}`, onTargets(() => Targets.setMode(mode))]),
  ["Space", "blink: the other picture", onTargets(() => (Targets.view.mode === "blink" ? Targets.view.blink() : Targets.setMode("blink")))],
  ["+", "zoom in", onView((v) => v.zoomBy(2, v.cursor))], ["-", "zoom out", onView((v) => v.zoomBy(0.5, v.cursor))],
  ["0", "whole picture", onView((v) => v.fit())],
  ["a", "alpha as grey", onView((v) => v.setChannels(v.channels === "a" ? "rgb" : "a"))],
  ["e", "range of the values", onView((v) => v.autoRange())],
  ...(LIVE ? [["h", "history of the pixel under the pointer", onTargets(() => Targets.view.cursor && Targets.history(...Targets.view.cursor))],
    [".", "step forward in the shader", onSteps(() => Steps.go(Steps.at + 1))], [",", "step back", onSteps(() => Steps.go(Steps.at - 1))],
    ["i", "frames of the capture", () => Film.toggle()]] : []),
  ["u", "pictures in the list of events", () => Tree.setThumbs(!Tree.thumbs)],
  ["t", "dark or light", () => Keys.theme()], ["?", "keys", () => $("help").showModal()],
];

(async function () {
  Keys.start(PAGE_KEYS, { names: { ArrowDown: "↓", ArrowUp: "↑", " ": "Space", "=": "+" }, onTheme: () => { for (const t of TABS) t.view?.draw?.(); } });
  try {
    await Frame.load();
  } catch (e) {
    $("none").textContent = e.message;
    document.querySelector("nav").hidden = true;
    document.body.dataset.ready = "nothing";
    return;
  }
  const d = Frame.data;
  $("capture").textContent = d.capture || "Frame";
  Page.showAbout();
  Page.makeTabs();
  Tree.start((call) => Page.go(call));
  Film.start();
  const [call, tab] = Page.asked();
  if (tab) Page.tab = tab;
  const drawn = Frame.events.filter((e) => e.kind !== "begin" && e.kind !== "end");
  const first = call ?? (drawn.filter((e) => e.kind === "draw").at(-1) || drawn.at(-1))?.call;
  if (first !== undefined) await Page.go(first);
  else {
    $("badge").hidden = true;
    Page.event = {};
    await Page.refreshTabs();
    document.body.dataset.ready ||= "nothing";
  }
  addEventListener("hashchange", () => {
    const [to, next] = Page.asked();
    if (to !== null) Page.go(to, next);
  });
})();
