/* Panes of a case: views, mask, box, gain, and the values under the pointer. */
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

class CaseView extends Viewer {
  showBox = true;
  showMask = false;
  plane = "canvas"; /* or "alpha" */

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
  }

  toggle(id, field) {
    if ($(id).disabled) return;
    this[field] = !this[field];
    $(id).setAttribute("aria-pressed", String(this[field]));
    this.draw();
  }

  toggleAlpha() {
    this.plane = this.plane === "alpha" ? "canvas" : "alpha";
    $("alpha").setAttribute("aria-pressed", String(this.plane === "alpha"));
    this.draw();
  }

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
  }

  setMode(mode) {
    const button = document.querySelector(`#modes [data-mode=${mode}]`);
    if (button.disabled) return;
    for (const b of $("modes").children) b.setAttribute("aria-checked", String(b === button));
    $("gain-label").hidden = mode !== "side" && mode !== "difference";
    this.show(mode);
  }

  size() {
    return [Pictures.width, Pictures.height];
  }

  sources() {
    if (this.mode === "side")
      return ["reference", "candidate", "difference"].filter((s) => SOURCES[s][1]());
    return [this.mode];
  }

  image(source) {
    return SOURCES[source][1]();
  }

  toBox() {
    if (Pictures.box) this.zoomTo(Pictures.box);
  }

  overlays() {
    return this.showMask && Pictures.overlay ? [Pictures.overlay] : [];
  }

  boxes() {
    return this.showBox && Pictures.box ? [[Pictures.box, "#ff4fd8", 3]] : [];
  }

  valuesOf(source, x, y) {
    if (source === "flip") return Pictures.flip && [(Pictures.at(Pictures.flip, x, y)[0] / 255).toFixed(2)];
    if (source === "difference" || source === "heat") {
      const o = 4 * (y * Pictures.width + x);
      return Array.from(Pictures.apart.subarray(o, o + (Pictures.apart[o + 3] ? 4 : 3)), String);
    }
    const v = Pictures.at(Pictures[source], x, y);
    return v && (this.plane === "alpha" ? v.slice(3) : v.slice(0, 3)).map(String);
  }

  title(source) {
    const alpha = this.plane === "alpha" && ["slider", "reference", "candidate"].includes(source) ? ", alpha" : "";
    const text = (source === "slider" ? "Reference | Candidate" : SOURCES[source][0]) + alpha;
    const picture = Pictures[source];
    return [text, picture && picture.canvas ? `${picture.width}×${picture.height}` :
      source === "difference" ? $("gain-value").textContent : ""];
  }

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
    $("pixel").replaceChildren(...parts.map((part) => pixelPart(...part)));
    if (a && b && a.some((v, i) => v !== b[i])) document.querySelector("#pixel [data-part=difference] b").className = "apart";
  }
}

const View = new CaseView($("panes"), $("zoom"), "slider");
