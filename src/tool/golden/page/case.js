/* Case view of the report: loads a case's file on demand, handles keys and starts the page. */
const Case = {
  current: null, waiting: {},

  /* report/NUMBER.js calls novemCase(id, {...}). */
  fetch(c) {
    if (!c.data) return Promise.resolve(null);
    return new Promise((resolve, reject) => {
      const script = make("script");
      this.waiting[c.id] = resolve;
      script.src = `report/${String(c.id).padStart(6, "0")}.js`;
      script.onerror = () => reject(new Error(`${script.getAttribute("src")} is not beside this page`));
      script.onload = () => script.remove();
      document.head.append(script);
    });
  },

  async open(c) {
    this.current = c;
    document.title = `${c.name} – golden images`;
    history.replaceState(null, "", `#case=${encodeURIComponent(c.name)}`);
    this.showHead(c);
    let data = null, trouble = "";
    try {
      data = await this.fetch(c);
      if (this.current !== c) return;
      await Pictures.load(data, c["ignore-alpha"]);
    } catch (e) {
      trouble = e.message || "a picture cannot be decoded";
      await Pictures.load(null);
    }
    if (this.current !== c) return;
    this.showPictures(c, trouble);
    this.showFacts(c, data);
    document.body.dataset.ready = c.name;
  },

  showHead(c) {
    $("name").textContent = c.name;
    $("badge").textContent = word(c.verdict);
    colour($("badge"), c.verdict);
    $("tolerance").textContent = c.tolerance ? `tolerance: ${c.tolerance}` : "";
    $("message").textContent = c.message || "";
    $("pixel").replaceChildren();
    $("case").scrollTop = 0;
  },

  showPictures(c, trouble) {
    const any = Pictures.reference || Pictures.candidate;
    const why = trouble || (c.data ? "There is no picture to show." :
      c.verdict === "skipped" ? "The case was not run." :
      c.verdict === "pass" || c.verdict === "fixed" ? "Equal to the reference; pictures of equal cases are not kept in large reports." :
      "There is no picture to show.");
    $("panes").hidden = $("tools").hidden = $("pixel").hidden = !any;
    $("none").textContent = any ? "" : why;
    if (c.box && c.box[2] > c.box[0]) Pictures.box = c.box; /* excludes masked and ignored pixels */
    if (any) View.open();
  },

  showFacts(c, data) {
    const pixels = c.width * c.height;
    const some = (n) => n === undefined || !pixels ? undefined : `${n.toLocaleString("en")} (${(100 * n / pixels).toPrecision(3)} %)`;
    table($("metrics"), [
      ["Size", c.width && `${c.width}×${c.height}`], ["Largest distance", c.max], ["Mean distance", c.mean?.toFixed(4)],
      ["PSNR", c.psnr === undefined ? undefined : `${c.psnr.toFixed(2)} dB`], ["Pixels that differ", some(c.differing)],
      ["Above the threshold", some(c.above)], ["Within the mask", some(c["in-mask"])], ["Densest window", c.densest],
      ["Box", c.box && `${c.box[0]}, ${c.box[1]} – ${c.box[2]}, ${c.box[3]}`],
      ["FLIP mean", c.flip?.toFixed(6)], ["FLIP weighted quartiles", c.quartiles?.map((q) => q.toFixed(4)).join(" · ")],
      ["FLIP largest", c.flipMax?.toFixed(4)], ["SSIM", c.ssim?.toFixed(6)],
      ["", c.width ? undefined : "Nothing was measured."],
    ]);
    table($("details"), [
      ["Kind", c.kind], ["Input", c.input], ["Frame", c.frame], ["Manifest", c.line && `line ${c.line}`],
      ["Tolerance", c.tolerance], ["Because", c.reason], ["Expected to fail", c.expect], ["Skipped", c.skip], ["Reference", c.reference],
      ["Candidate", c.candidate], ["Mask", c.mask], ["Hash", c.hash], ["Tries", c.tries],
      ["Time", c.seconds === undefined ? undefined : `${c.seconds.toFixed(3)} s`],
    ]);
    const origin = ["reference", "candidate"].flatMap((k) => pngTexts(data && data[k]).map(([key, text]) => [`${k}: ${key}`, text]));
    table($("origin"), origin);
    $("origin-part").hidden = !origin.length;
    $("log").textContent = ((data && data.log) || "").replace(/\x1b\[[0-9;]*[A-Za-z]/g, "");
    $("log-part").hidden = !(data && data.log);
    $("pages").replaceChildren(...((data && data.pages) || []).map(page));
  },
};
const novemCase = (id, data) => { Case.waiting[id]?.(data); delete Case.waiting[id]; };

/* Additional pages of a case, such as a pixel history. */
function page({ title, file }) {
  const part = make("section"), frame = make("iframe"), link = make("a", title), head = make("h3");
  frame.title = title;
  frame.loading = "lazy";
  frame.src = link.href = file.split("/").map(encodeURIComponent).join("/");
  head.append(link);
  part.append(head, frame);
  return part;
}

/* Text chunks of a PNG: key, a 0, in iTXt four more empty fields, then the text. */
function pngTexts(uri) {
  if (!uri) return [];
  return pngChunks(uriBytes(uri)).filter(([type]) => type === "tEXt" || type === "iTXt").map(([type, bytes]) => {
    const text = new TextDecoder(type === "tEXt" ? "latin1" : "utf-8").decode(bytes), at = text.indexOf("\0");
    return [text.slice(0, at), text.slice(at + 1).replace(/^\0\0[^\0]*\0[^\0]*\0/, "")];
  });
}

const KEYS = [
  ["j ↓", "next case", () => List.step(1)], ["k ↑", "case before", () => List.step(-1)],
  ...MODES.map(([mode, text, key]) => [key, text, () => View.setMode(mode)]),
  ["Space", "blink: the other picture", () => (View.mode === "blink" ? View.blink() : View.setMode("blink"))],
  ["+", "zoom in", () => View.zoomBy(2, View.cursor)], ["-", "zoom out", () => View.zoomBy(0.5, View.cursor)],
  ["0", "whole picture", () => View.fit()], ["f", "to what differs", () => View.toBox()],
  ["a", "alpha as grey", () => View.toggleAlpha()], ["b", "box", () => View.toggle("box", "showBox")], ["m", "mask", () => View.toggle("mask", "showMask")],
  ["t", "dark or light", () => Keys.theme()], ["/", "find", () => $("search").focus()], ["?", "keys", () => $("help").showModal()],
];
(function () {
  const run = REPORT.run;
  $("run").textContent = [run.manifest, run.candidate && `candidate: ${run.candidate}`, run.backend, `Novem ${run.novem}, numerics ${run.numerics}`].filter(Boolean).join("  ·  ");
  $("run").title = $("run").textContent;
  Keys.start(KEYS, { usable: (keys) => !$("panes").hidden || /[jk/t?]/.test(keys[0]), onTheme: () => View.draw() });
  View.start();
  List.start(REPORT.cases.map(caseOf), (c) => Case.open(c));
  const asked = decodeURIComponent((location.hash.match(/case=([^&]*)/) || [])[1] || "");
  const first = List.cases.find((c) => c.name === asked) || List.shown[0];
  if (first) List.choose(first);
  else $("case").hidden = true;
})();
