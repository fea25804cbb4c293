/* Meshes in a canvas: projection, wireframe and solid, orbit. Software in two dimensions: faces are
 * painted from back to front. */
const MESH_FACES = 20000; /* more are drawn as lines */

class MeshView {
  turn = 0.6; /* angles of the camera around the mesh, radians */
  tilt = 0.35;
  zoom = 1;
  solid = true;
  chosen = -1;
  points = []; /* [x, y, z] or null, of each vertex */
  triangles = [];
  lines = [];
  culled = new Set();

  constructor(onPick) {
    this.canvas = make("canvas", undefined, "mesh");
    this.canvas.tabIndex = 0;
    this.canvas.setAttribute("role", "img");
    this.onPick = onPick;
    this.listen();
    new ResizeObserver(() => this.draw()).observe(this.canvas);
  }

  /* points: of each vertex. flat: points are on the screen, so the camera looks straight at them. */
  open(points, shape, flat) {
    this.points = points;
    Object.assign(this, shape);
    if (flat !== this.flat) this.look(flat);
    this.flat = flat;
    const good = points.filter(Boolean);
    const low = [0, 1, 2].map((k) => good.reduce((m, p) => Math.min(m, p[k]), Infinity));
    const high = [0, 1, 2].map((k) => good.reduce((m, p) => Math.max(m, p[k]), -Infinity));
    this.middle = good.length ? low.map((v, k) => (v + high[k]) / 2) : [0, 0, 0];
    const size = good.length ? high.map((v, k) => v - low[k]) : [1, 1, 1];
    this.depth = flat ? 0.25 * Math.max(size[0], size[1]) / (size[2] || 1) : 1; /* depths are small numbers */
    this.radius = Math.hypot(size[0], size[1], flat ? 0 : size[2]) / 2 || 1;
    this.draw();
  }

  look(flat) {
    this.turn = flat ? 0 : 0.6;
    this.tilt = flat ? 0 : 0.35;
    this.zoom = 1;
    this.draw();
  }

  orbit(turn, tilt) {
    this.turn += turn;
    this.tilt = Math.max(-1.57, Math.min(1.57, this.tilt + tilt));
    this.draw();
  }

  zoomBy(factor) {
    this.zoom = Math.max(0.05, Math.min(200, this.zoom * factor));
    this.draw();
  }

  listen() {
    const c = this.canvas;
    let last = null, moved = 0;
    c.addEventListener("wheel", (e) => { e.preventDefault(); this.zoomBy(e.deltaY < 0 ? 1.2 : 1 / 1.2); }, { passive: false });
    c.addEventListener("pointerdown", (e) => { last = [e.clientX, e.clientY]; moved = 0; c.setPointerCapture(e.pointerId); });
    c.addEventListener("pointermove", (e) => {
      if (!last) return;
      const by = [e.clientX - last[0], e.clientY - last[1]];
      moved += Math.abs(by[0]) + Math.abs(by[1]);
      last = [e.clientX, e.clientY];
      this.orbit(by[0] / 150, by[1] / 150);
    });
    c.addEventListener("pointerup", (e) => {
      if (last && moved < 4) this.pick(e);
      last = null;
    });
    c.addEventListener("dblclick", () => this.look(this.flat));
    c.addEventListener("keydown", (e) => {
      const by = { ArrowLeft: [-0.1, 0], ArrowRight: [0.1, 0], ArrowUp: [0, -0.1], ArrowDown: [0, 0.1] }[e.key];
      if (by) this.orbit(...by);
      else if (e.key === "+" || e.key === "=") this.zoomBy(1.25);
      else if (e.key === "-") this.zoomBy(0.8);
      else if (e.key === "0") this.look(this.flat);
      else return;
      e.preventDefault();
      e.stopPropagation();
    });
  }

  /* Screen positions [x, y, depth] of all vertices, in pixels of the canvas. */
  project(w, h) {
    const [mx, my, mz] = this.middle, scale = (0.46 * Math.min(w, h) * this.zoom) / this.radius;
    const ct = Math.cos(this.turn), st = Math.sin(this.turn), cp = Math.cos(this.tilt), sp = Math.sin(this.tilt);
    const up = this.flat ? -1 : 1; /* y of the screen goes down */
    return this.points.map((p) => {
      if (!p) return null;
      const x = p[0] - mx, y = (p[1] - my) * up, z = (p[2] - mz) * this.depth;
      const x1 = ct * x + st * z, z1 = ct * z - st * x;
      return [w / 2 + scale * x1, h / 2 - scale * (cp * y - sp * z1), cp * z1 + sp * y];
    });
  }

  pick(e) {
    const r = this.canvas.getBoundingClientRect(), x = e.clientX - r.left, y = e.clientY - r.top;
    let best = -1, least = 14 * 14;
    this.project(r.width, r.height).forEach((p, i) => {
      if (!p) return;
      const d = (p[0] - x) ** 2 + (p[1] - y) ** 2;
      if (d < least) { least = d; best = i; }
    });
    if (best >= 0) this.onPick(best);
  }

  /* --- Drawing --- */

  draw() {
    if (this.pending) return;
    this.pending = requestAnimationFrame(() => {
      this.pending = 0;
      if (this.middle && this.canvas.isConnected) this.paint();
    });
  }

  paint() {
    const ratio = window.devicePixelRatio || 1, r = this.canvas.getBoundingClientRect();
    const w = Math.max(1, Math.round(r.width)), h = Math.max(1, Math.round(r.height));
    this.canvas.width = w * ratio;
    this.canvas.height = h * ratio;
    const g = this.canvas.getContext("2d"), style = getComputedStyle(document.documentElement);
    const ink = style.getPropertyValue("--ink"), quiet = style.getPropertyValue("--quiet"), accent = style.getPropertyValue("--accent");
    g.setTransform(ratio, 0, 0, ratio, 0, 0);
    g.clearRect(0, 0, w, h);
    const at = this.project(w, h), dark = document.documentElement.classList.contains("dark");
    if (this.solid && this.triangles.length <= MESH_FACES) this.paintFaces(g, at, dark);
    else this.paintLines(g, at, this.triangles, quiet, ink);
    g.strokeStyle = ink;
    for (const line of this.lines) this.path(g, at, line, false);
    if (!this.triangles.length && !this.lines.length) this.paintPoints(g, at, ink);
    if (at[this.chosen]) this.paintChosen(g, at, accent);
  }

  path(g, at, corners, closed) {
    if (corners.some((i) => !at[i])) return;
    g.beginPath();
    corners.forEach((i, k) => (k ? g.lineTo(at[i][0], at[i][1]) : g.moveTo(at[i][0], at[i][1])));
    if (closed) g.closePath();
    g.stroke();
  }

  paintLines(g, at, triangles, quiet, ink) {
    g.lineWidth = 1;
    for (const pass of [true, false]) {
      g.strokeStyle = pass ? quiet : ink;
      g.globalAlpha = pass ? 0.35 : 0.75;
      g.beginPath();
      triangles.forEach((t, n) => {
        if (this.culled.has(n) !== pass || t.some((i) => !at[i])) return;
        g.moveTo(at[t[2]][0], at[t[2]][1]);
        for (const i of t) g.lineTo(at[i][0], at[i][1]);
      });
      g.stroke();
    }
    g.globalAlpha = 1;
  }

  /* Shaded by the direction of the face; culled faces are hollow. */
  paintFaces(g, at, dark) {
    const faces = [];
    this.triangles.forEach((t, n) => {
      const [a, b, c] = t.map((i) => at[i]);
      if (a && b && c) faces.push([a[2] + b[2] + c[2], n, a, b, c]);
    });
    faces.sort((p, q) => q[0] - p[0]);
    g.lineWidth = 0.6;
    for (const [, n, a, b, c] of faces) {
      g.beginPath();
      g.moveTo(a[0], a[1]);
      g.lineTo(b[0], b[1]);
      g.lineTo(c[0], c[1]);
      g.closePath();
      if (!this.culled.has(n)) {
        const area = Math.abs((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]));
        const long = Math.hypot(b[0] - a[0], b[1] - a[1]) * Math.hypot(c[0] - a[0], c[1] - a[1]) || 1;
        const light = Math.round(dark ? 26 + 44 * (area / long) : 58 + 34 * (area / long));
        g.fillStyle = `hsl(219 38% ${light}%)`;
        g.fill();
      }
      g.strokeStyle = dark ? "#0007" : "#0004";
      g.stroke();
    }
  }

  paintPoints(g, at, ink) {
    g.fillStyle = ink;
    for (const p of at) if (p) g.fillRect(p[0] - 1.5, p[1] - 1.5, 3, 3);
  }

  paintChosen(g, at, accent) {
    g.strokeStyle = g.fillStyle = accent;
    g.lineWidth = 2;
    for (const t of this.triangles) if (t.includes(this.chosen)) this.path(g, at, t, true);
    const [x, y] = at[this.chosen];
    g.beginPath();
    g.arc(x, y, 4.5, 0, 7);
    g.fill();
  }
}

/* Triangles and lines of a topology, as numbers of vertices. order: the vertices as they are drawn; one
 * that is missing is null. The number of a triangle is that of its primitive. */
function meshShape(topology, order, primitives) {
  const triangles = [], lines = [], v = (i) => order[i] ?? -1;
  const step = { TRIANGLELIST: 3, LINELIST: 2 }[topology] || 1;
  for (let n = 0; n < primitives && n * step < order.length; n++) {
    if (topology === "TRIANGLELIST") triangles.push([v(3 * n), v(3 * n + 1), v(3 * n + 2)]);
    else if (topology === "TRIANGLESTRIP") triangles.push(n & 1 ? [v(n + 1), v(n), v(n + 2)] : [v(n), v(n + 1), v(n + 2)]);
    else if (topology === "TRIANGLEFAN") triangles.push([v(0), v(n + 1), v(n + 2)]);
    else if (topology === "LINELIST") lines.push([v(2 * n), v(2 * n + 1)]);
    else if (topology === "LINESTRIP") lines.push([v(n), v(n + 1)]);
  }
  return { triangles, lines };
}
