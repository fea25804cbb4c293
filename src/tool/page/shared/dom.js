/* Elements, tables, keys and theme of Novem's pages. Strings of captures and files are hostile: they
 * become text, never markup. */
const $ = (id) => document.getElementById(id);
const make = (tag, text, cls) => {
  const e = document.createElement(tag);
  if (text !== undefined) e.textContent = text;
  if (cls) e.className = cls;
  return e;
};
const hex = (v) => v.toString(16).padStart(2, "0");

/* Rows of a name and a value; rows without a value are left out. */
function table(into, rows) {
  into.replaceChildren(...rows.filter(([, v]) => v !== undefined && v !== null && v !== "").map(([k, v]) => {
    const row = make("tr"), head = make("th", k);
    head.scope = "row";
    row.append(head, make("td", String(v)));
    return row;
  }));
}

const Keys = {
  NAMES: { ArrowDown: "↓", ArrowUp: "↑", " ": "Space", "=": "+", n: "j", p: "k" },
  rows: [],

  /* rows: [keys separated by blanks, text, action]. usable(keys) says whether a row acts now. The page
   * has a button #theme, a button #help-button and a dialog #help with a table #keys. */
  start(rows, { names = this.NAMES, usable = () => true, onTheme = () => {} } = {}) {
    this.rows = rows;
    this.names = names;
    this.usable = usable;
    this.onTheme = onTheme;
    if (matchMedia("(prefers-color-scheme: dark)").matches) this.theme();
    $("theme").addEventListener("click", () => this.theme());
    $("help-button").addEventListener("click", () => $("help").showModal());
    table($("keys"), rows.map(([k, text]) => [k, text]));
    document.addEventListener("keydown", (e) => this.press(e));
  },

  press(e) {
    const typing = /^(INPUT|SELECT|TEXTAREA)$/.test(e.target.tagName);
    if (e.key === "Escape" && typing) return e.target.blur();
    if (typing || e.ctrlKey || e.metaKey || e.altKey || $("help").open) return;
    if (e.key === " " && e.target.tagName === "BUTTON") return;
    const key = this.names[e.key] || e.key, row = this.rows.find(([k]) => k.split(" ").includes(key));
    if (!row) return;
    e.preventDefault();
    if (this.usable(row[0])) row[2]();
  },

  theme() {
    document.documentElement.classList.toggle("dark");
    this.onTheme();
  },
};
