/* Film strip: all frames of the capture; a click opens another one. The server answers it alone. */
const Film = {
  WIDTH: 116,

  start() {
    if (!LIVE) return;
    $("film-button").addEventListener("click", () => this.toggle());
    const film = $("film");
    film.addEventListener("scroll", () => this.draw());
    film.addEventListener("wheel", (e) => { film.scrollLeft += e.deltaY; e.preventDefault(); }, { passive: false });
    film.addEventListener("click", (e) => {
      const cell = e.target.closest(".cell");
      if (cell) this.open(+cell.dataset.frame);
    });
    film.addEventListener("keydown", (e) => this.press(e));
    new ResizeObserver(() => this.draw()).observe(film);
    this.set(Frame.film);
    if (Frame.data.complete === false) this.wait(200);
  },

  /* Takes the frames that are known; the strip opens with the second one. */
  set(all) {
    const first = !this.frames, last = all.at(-1);
    /* Calls after the last Present, which draw nothing, are no frame to look at. */
    const frames = last && !last.draws && last.frame !== Frame.data.frame ? all.slice(0, -1) : all;
    this.frames = frames;
    Frame.data.frames = frames.length;
    Page.showAbout();
    if (frames.length < 2) this.frames = null;
    if (!this.frames) return;
    $("film-button").hidden = false;
    $("film-space").style.width = `${frames.length * this.WIDTH}px`;
    if (first) {
      this.at = Math.max(0, frames.findIndex((f) => f.frame === Frame.data.frame));
      this.toggle();
    } else this.draw();
  },

  /* The server lists the frames while the page is open already. */
  wait(ms) {
    setTimeout(async () => {
      Data.answers.delete("film");
      const now = await Data.ask("film").catch(() => null);
      if (!now) return;
      if (now.film.length !== Frame.film.length) {
        Frame.film = now.film;
        this.set(now.film);
      }
      if (!now.complete) this.wait(Math.min(2000, 1.5 * ms));
    }, ms);
  },

  toggle() {
    const film = $("film");
    if (!this.frames || $("film-button").hidden) return;
    film.hidden = !film.hidden;
    $("film-button").setAttribute("aria-expanded", String(!film.hidden));
    if (!film.hidden) this.reveal();
  },

  reveal() {
    $("film").scrollLeft = Math.max(0, (this.at + 0.5) * this.WIDTH - $("film").clientWidth / 2);
    this.draw();
  },

  draw() {
    if (!this.frames) return;
    const film = $("film"), first = Math.max(0, Math.floor(film.scrollLeft / this.WIDTH) - 1);
    const end = Math.min(this.frames.length, first + Math.ceil(film.clientWidth / this.WIDTH) + 3);
    const cells = [];
    for (let i = first; i < end; i++) cells.push(this.cell(i));
    $("film-space").replaceChildren(...cells);
    film.setAttribute("aria-activedescendant", `frame-${this.at}`);
  },

  cell(i) {
    const f = this.frames[i], cell = make("div", undefined, "cell"), picture = make("span", undefined, "thumb");
    cell.id = `frame-${i}`;
    cell.dataset.frame = f.frame;
    for (const [k, v] of [["role", "option"], ["aria-selected", f.frame === Frame.data.frame], ["aria-posinset", i + 1],
      ["aria-setsize", this.frames.length]])
      cell.setAttribute(k, String(v));
    cell.classList.toggle("at", i === this.at);
    cell.style.left = `${i * this.WIDTH}px`;
    Thumbs.put(picture, `film/${f.frame}`, (a) => a?.picture || a);
    const time = typeof f.seconds === "number" ? `, ${(1000 * f.seconds).toFixed(1)} ms` : "";
    cell.append(picture, make("b", `Frame ${f.frame}`), make("small", several(f.draws, "draw") + time));
    return cell;
  },

  press(e) {
    const to = { ArrowRight: this.at + 1, ArrowLeft: this.at - 1, Home: 0, End: this.frames.length - 1 }[e.key];
    if (e.key === "Enter") return this.open(this.frames[this.at].frame);
    if (to === undefined) return;
    this.at = Math.min(this.frames.length - 1, Math.max(0, to));
    this.reveal();
    e.preventDefault();
    e.stopPropagation();
  },

  open(frame) {
    if (frame === Frame.data.frame) return;
    const query = new URLSearchParams(location.search);
    query.set("frame", frame);
    location.href = `${location.pathname}?${query}`;
  },
};
