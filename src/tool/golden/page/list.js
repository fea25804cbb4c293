/* List of cases: filters, sorts and renders only the visible rows. */
/* Sorted from worst to best; each colour is the CSS variable of that name. */
const VERDICTS = ["fail", "crashed", "timeout", "missing", "error", "flaky", "xpass", "new", "fixed", "skipped", "xfail", "pass"];
const WORDS = { timeout: "timed out", xpass: "unexpected pass", xfail: "expected fail" };
const word = (v) => WORDS[v] || v;
const verdictOf = (text) => VERDICTS.find((v) => word(v) === text) || "error";
/* A record of results.jsonl, extended by the report's own measurements. */
const caseOf = ([record, extra], id) =>
  ({ ...extra, ...record, id, name: record.case, verdict: verdictOf(record.verdict), expect: record["expect-fail"] });
const colour = (e, verdict) => e.style.setProperty("--v", `var(--${verdict})`);
const share = (c) => (c.width ? c.differing / (c.width * c.height) : 0);
const RANK = Object.fromEntries(VERDICTS.map((v, i) => [v, i]));
const ORDERS = {
  severity: (a, b) => RANK[a.verdict] - RANK[b.verdict] || (b.flip || 0) - (a.flip || 0) ||
    share(b) - share(a) || ORDERS.name(a, b),
  name: (a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0),
  time: (a, b) => b.seconds - a.seconds || ORDERS.name(a, b),
};

const List = {
  ROW: 52,
  cases: [],
  shown: [],
  wanted: new Set(),
  chosen: null,

  start(cases, onChoose) {
    this.onChoose = onChoose;
    this.cases = cases;
    for (const c of cases)
      c.text = [c.name, c.verdict, word(c.verdict), c.message, c.tolerance, c.reason, c.expect, c.input]
        .filter(Boolean).join(" ").toLowerCase();
    this.makeVerdicts();
    $("search").addEventListener("input", () => this.filter());
    $("order").addEventListener("change", () => this.filter());
    $("list").addEventListener("scroll", () => this.draw());
    $("list").addEventListener("click", (e) => {
      const row = e.target.closest(".row");
      if (row) this.choose(this.shown[+row.dataset.index]);
    });
    new ResizeObserver(() => this.draw()).observe($("list"));
    this.filter();
  },

  makeVerdicts() {
    for (const v of VERDICTS) {
      const n = this.cases.filter((c) => c.verdict === v).length;
      if (!n) continue;
      const b = make("button");
      b.type = "button";
      b.dataset.verdict = v;
      b.setAttribute("aria-pressed", "false");
      b.append(make("span", undefined, "dot"), word(v), make("b", String(n)));
      colour(b, v);
      b.addEventListener("click", () => {
        const on = !this.wanted.has(v);
        on ? this.wanted.add(v) : this.wanted.delete(v);
        b.setAttribute("aria-pressed", String(on));
        this.filter();
      });
      $("verdicts").append(b);
      const part = make("i");
      part.style.flex = String(n);
      colour(part, v);
      $("proportion").append(part);
    }
  },

  filter() {
    const words = $("search").value.toLowerCase().split(/\s+/).filter(Boolean);
    this.shown = this.cases.filter((c) => (!this.wanted.size || this.wanted.has(c.verdict)) &&
      words.every((w) => c.text.includes(w)));
    this.shown.sort(ORDERS[$("order").value]);
    const n = this.shown.length, all = this.cases.length;
    $("count").textContent = n === all ? `${all} case${all === 1 ? "" : "s"}` : `${n} of ${all} cases`;
    $("list-space").style.height = `${n * this.ROW}px`;
    $("list").scrollTop = 0;
    this.draw();
  },

  draw() {
    const list = $("list"), first = Math.max(0, Math.floor(list.scrollTop / this.ROW) - 3);
    const end = Math.min(this.shown.length, first + Math.ceil(list.clientHeight / this.ROW) + 7);
    $("list-space").replaceChildren(...this.shown.slice(first, end).map((c, i) => this.row(c, first + i)));
  },

  row(c, index) {
    const row = make("div", undefined, "row"), top = make("div");
    row.id = `row-${c.id}`;
    row.dataset.index = index;
    row.setAttribute("role", "option");
    row.setAttribute("aria-selected", String(c === this.chosen));
    row.setAttribute("aria-posinset", index + 1);
    row.setAttribute("aria-setsize", this.shown.length);
    row.style.top = `${index * this.ROW}px`;
    row.title = c.name;
    colour(row, c.verdict);
    top.append(make("b", c.name), make("em", word(c.verdict)));
    row.append(top, make("small", c.message || c.tolerance || ""));
    return row;
  },

  choose(c, quiet) {
    this.chosen = c;
    const at = this.shown.indexOf(c), list = $("list");
    if (at >= 0) {
      const top = at * this.ROW;
      if (top < list.scrollTop) list.scrollTop = top;
      else if (top + this.ROW > list.scrollTop + list.clientHeight)
        list.scrollTop = top + this.ROW - list.clientHeight;
      list.setAttribute("aria-activedescendant", `row-${c.id}`);
    }
    this.draw();
    if (!quiet) this.onChoose(c);
  },

  step(by) {
    const at = this.shown.indexOf(this.chosen), to = at < 0 ? 0 : at + by;
    if (to >= 0 && to < this.shown.length) this.choose(this.shown[to]);
  },
};
