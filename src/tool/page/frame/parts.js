/* Parts that several views use: buttons, choices, tables, links to events. */
function button(text, title, action, extra = {}) {
  const b = make("button", text);
  b.type = "button";
  if (title) b.title = title;
  for (const [k, v] of Object.entries(extra)) b.setAttribute(k, v);
  b.addEventListener("click", () => action(b));
  return b;
}

/* A group of which one is chosen. choices: [value, text, title]. The element's `value` is the choice;
 * arrow keys move it. */
function choice(label, choices, value, onChange) {
  const group = make("div", undefined, "group");
  group.setAttribute("role", "radiogroup");
  group.setAttribute("aria-label", label);
  const set = (next) => {
    group.value = next;
    for (const b of group.children) {
      b.setAttribute("aria-checked", String(b.dataset.value === String(next)));
      b.tabIndex = b.dataset.value === String(next) ? 0 : -1;
    }
  };
  group.fill = (list) => group.replaceChildren(...list.map(([v, text, title]) => {
    const b = button(text, title, () => { group.choose(v); });
    b.dataset.value = v;
    b.setAttribute("role", "radio");
    return b;
  }));
  group.choose = (next) => { set(next); onChange(next); };
  group.set = set;
  group.addEventListener("keydown", (e) => {
    const by = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[e.key], all = [...group.children];
    const at = all.findIndex((b) => b.dataset.value === String(group.value)), to = all[at + by];
    if (!by) return;
    e.preventDefault();
    e.stopPropagation();
    if (to) { to.click(); to.focus(); }
  });
  group.fill(choices);
  set(value);
  return group;
}

function select(label, options, value, onChange) {
  const s = make("select");
  s.setAttribute("aria-label", label);
  s.fill = (list, chosen) => {
    s.replaceChildren(...list.map(([v, text]) => {
      const o = make("option", text);
      o.value = v;
      return o;
    }));
    if (chosen !== undefined) s.value = chosen;
  };
  s.fill(options, value);
  s.addEventListener("change", () => onChange(s.value));
  return s;
}

function labelled(text, ...controls) {
  const l = make("label", text, "group");
  l.append(...controls);
  return l;
}

/* Toolbars share a line where there is room. */
function toolbars(...bars) {
  const e = make("div", undefined, "toolbars");
  e.append(...bars);
  return e;
}

function toolbar(label, ...groups) {
  const t = make("div", undefined, "tools");
  t.setAttribute("role", "toolbar");
  t.setAttribute("aria-label", label);
  t.append(...groups);
  return t;
}

function group(...children) {
  const g = make("div", undefined, "group");
  g.append(...children);
  return g;
}

function card(title, ...children) {
  const s = make("section", undefined, "card");
  if (title) s.append(make("h3", title));
  s.append(...children);
  return s;
}

/* Wide tables scroll in a box of their own, which keys can scroll. */
function scrolling(label, child) {
  const box = make("div", undefined, "scroll");
  box.tabIndex = 0;
  box.setAttribute("role", "region");
  box.setAttribute("aria-label", label);
  box.append(child);
  return box;
}

/* columns: [text, class]; rows: lists of texts or elements. */
function grid(columns, rows, label) {
  const t = make("table", undefined, "grid"), head = make("thead"), body = make("tbody"), top = make("tr");
  if (label) t.setAttribute("aria-label", label);
  for (const [text, cls] of columns) {
    const th = make("th", text, cls);
    th.scope = "col";
    top.append(th);
  }
  head.append(top);
  body.append(...rows.map((cells) => gridRow(columns, cells)));
  t.append(head, body);
  return t;
}

function gridRow(columns, cells) {
  const row = make("tr");
  cells.forEach((cell, i) => {
    const td = make("td", undefined, columns[i]?.[1]);
    td.append(cell ?? "");
    row.append(td);
  });
  return row;
}

/* A button that goes to an event, and the lists of such buttons. */
function eventLink(call, text, tab) {
  const e = Frame.byCall.get(call);
  const b = button(text || String(call), e ? e.what || e.name : "", () => Page.go(call, tab), { class: "link" });
  b.disabled = !e;
  return b;
}

function eventLinks(calls, texts) {
  const box = make("span", undefined, "links"), most = 60;
  const put = (from, to) => {
    for (let i = from; i < Math.min(to, calls.length); i++) box.append(eventLink(calls[i], texts?.[i]));
  };
  put(0, most);
  if (calls.length > most)
    box.append(button(`${calls.length - most} more`, "", (b) => { b.remove(); put(most, calls.length); }));
  return box;
}

const count = (n) => (typeof n === "number" ? n.toLocaleString("en") : "");
const several = (n, word) => `${count(n)} ${word}${n === 1 ? "" : "s"}`;
const bytesText = (n) => (n >= 1 << 20 ? `${(n / (1 << 20)).toFixed(1)} MiB` : n >= 1024 ? `${(n / 1024).toFixed(1)} KiB` : `${n} B`);

/* JSON has no infinities: these are texts. */
function number(v) {
  if (typeof v !== "number") return v === null || v === undefined ? "" : String(v);
  if (Number.isInteger(v) && Math.abs(v) < 1e9) return String(v);
  return String(+v.toPrecision(6));
}

/* A list that shows only the rows in sight. `row(i)` makes the element of a row; all have one height. */
class Rows {
  constructor(box, space, height, row) {
    Object.assign(this, { box, space, height, row, n: 0 });
    box.addEventListener("scroll", () => this.draw());
    new ResizeObserver(() => this.draw()).observe(box);
  }

  set(n) {
    this.n = n;
    this.space.style.height = `${n * this.height}px`;
    this.draw();
  }

  draw() {
    const { box, height } = this, first = Math.max(0, Math.floor(box.scrollTop / height) - 4);
    const end = Math.min(this.n, first + Math.ceil(box.clientHeight / height) + 9);
    const rows = [];
    for (let i = first; i < end; i++) {
      const r = this.row(i);
      r.style.top = `${i * height}px`;
      r.style.height = `${height}px`;
      rows.push(r);
    }
    this.space.replaceChildren(...rows);
  }

  reveal(i) {
    const { box, height } = this, top = i * height;
    if (top < box.scrollTop) box.scrollTop = top;
    else if (top + height > box.scrollTop + box.clientHeight) box.scrollTop = top + height - box.clientHeight;
  }
}
