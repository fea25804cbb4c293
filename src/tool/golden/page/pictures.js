/* Pictures of a case and images derived from them: differences, heat map, FLIP. Pictures are data
 * URIs, because a page loaded from disk may not read the pixels of files. */
const canvasOf = (width, height) => {
  const c = document.createElement("canvas");
  c.width = width;
  c.height = height;
  return c;
};

/* Colour map: black, blue, violet, orange, pale yellow. */
const RAMP = [[0, 0, 0], [40, 26, 110], [132, 32, 120], [214, 66, 72], [250, 142, 40], [252, 220, 110], [255, 255, 220]];
const ramp = (t) => {
  const at = Math.min(Math.max(t, 0), 1) * (RAMP.length - 1), i = Math.min(Math.floor(at), RAMP.length - 2);
  return RAMP[i].map((v, k) => Math.round(v + (RAMP[i + 1][k] - v) * (at - i)));
};
const RAMP_256 = Array.from({ length: 256 }, (_, i) => ramp(i / 255));

/* Decodes the exact values of common PNG types; the browser decodes the others. A canvas would
 * premultiply alpha and convert colour spaces. */
async function readPicture(uri) {
  if (!uri) return null;
  const { width, height, data } = (await decodePng(uri)) || (await decodeImage(uri));
  const size = { width, height };
  return { width, height, data,
    canvas: Pictures.paint((i) => [data[4 * i], data[4 * i + 1], data[4 * i + 2]], size),
    alpha: Pictures.paint((i) => [data[4 * i + 3], data[4 * i + 3], data[4 * i + 3]], size) };
}

async function decodeImage(uri) {
  const image = new Image();
  image.src = uri;
  await image.decode();
  const width = image.naturalWidth, height = image.naturalHeight;
  const context = canvasOf(width, height).getContext("2d", { willReadFrequently: true });
  context.drawImage(image, 0, 0);
  return { width, height, data: context.getImageData(0, 0, width, height).data };
}

/* Returns [type, bytes] of every chunk. */
function pngChunks(uri) {
  const text = atob(uri.slice(uri.indexOf(",") + 1)), bytes = Uint8Array.from(text, (c) => c.charCodeAt(0));
  const view = new DataView(bytes.buffer), chunks = [];
  for (let at = 8; at + 12 <= bytes.length; at += 12 + view.getUint32(at))
    chunks.push([text.slice(at + 4, at + 8), bytes.subarray(at + 8, at + 8 + view.getUint32(at))]);
  return chunks;
}

/* Supports non-interlaced 8-bit grey, RGB and RGBA; returns null for other types. */
async function decodePng(uri) {
  const chunks = pngChunks(uri), head = chunks[0]?.[1];
  if (!head || chunks[0][0] !== "IHDR" || head[8] !== 8 || head[12] || !window.DecompressionStream) return null;
  const channels = { 0: 1, 2: 3, 6: 4 }[head[9]];
  if (!channels || chunks.some(([type]) => type === "tRNS")) return null;
  const view = new DataView(head.buffer, head.byteOffset), width = view.getUint32(0), height = view.getUint32(4);
  const packed = new Blob(chunks.filter(([type]) => type === "IDAT").map(([, bytes]) => bytes));
  const stream = packed.stream().pipeThrough(new DecompressionStream("deflate"));
  const raw = new Uint8Array(await new Response(stream).arrayBuffer());
  return raw.length < height * (1 + width * channels) ? null :
    { width, height, data: spread(unfilter(raw, width * channels, height, channels), channels) };
}

/* Removes the PNG filter of each row. */
function unfilter(raw, pitch, height, step) {
  const out = new Uint8Array(pitch * height);
  for (let y = 0; y < height; y++) {
    const kind = raw[y * (pitch + 1)], from = y * (pitch + 1) + 1, to = y * pitch;
    for (let i = 0; i < pitch; i++) {
      const left = i >= step ? out[to + i - step] : 0, up = y ? out[to + i - pitch] : 0;
      let guess = 0;
      if (kind === 1) guess = left;
      else if (kind === 2) guess = up;
      else if (kind === 3) guess = (left + up) >> 1;
      else if (kind === 4) guess = paeth(left, up, y && i >= step ? out[to + i - pitch - step] : 0);
      out[to + i] = raw[from + i] + guess;
    }
  }
  return out;
}

function paeth(left, up, corner) {
  const a = Math.abs(up - corner), b = Math.abs(left - corner), c = Math.abs(left + up - 2 * corner);
  return a <= b && a <= c ? left : b <= c ? up : corner;
}

function spread(bytes, channels) {
  const n = bytes.length / channels, out = new Uint8Array(4 * n);
  if (channels === 4) return bytes;
  for (let i = 0; i < n; i++) {
    for (let k = 0; k < 3; k++) out[4 * i + k] = bytes[i * channels + (channels === 3 ? k : 0)];
    out[4 * i + 3] = 255;
  }
  return out;
}

const Pictures = {
  reference: null, candidate: null, flip: null, mask: null, width: 0, height: 0,

  async load(data, ignoreAlpha) {
    [this.reference, this.candidate, this.flip, this.mask] = await Promise.all(
      ["reference", "candidate", "flip", "mask"].map((k) => readPicture(data && data[k]).catch(() => null)));
    this.width = Math.max(this.reference?.width || 0, this.candidate?.width || 0);
    this.height = Math.max(this.reference?.height || 0, this.candidate?.height || 0);
    this.heat = this.difference = this.flipMap = this.overlay = this.box = null;
    if (this.reference && this.candidate) this.compare(ignoreAlpha ? 3 : 4);
    if (this.flip) this.flipMap = this.paint((i) => RAMP_256[this.flip.data[4 * i]], this.flip);
    if (this.mask) this.overlay = this.paintMask();
  },

  /* RGBA of a pixel of the file; null outside. */
  at(picture, x, y) {
    if (!picture || x < 0 || y < 0 || x >= picture.width || y >= picture.height) return null;
    const i = 4 * (y * picture.width + x);
    return Array.from(picture.data.subarray(i, i + 4));
  },

  /* Differences of R, G, B and, unless it is ignored, A of each pixel; 255 if only one picture has
   * the pixel. */
  compare(channels) {
    const a = this.reference, b = this.candidate, w = this.width, h = this.height;
    const apart = new Uint8Array(4 * w * h);
    let x0 = w, y0 = h, x1 = 0, y1 = 0;
    for (let y = 0; y < h; y++)
      for (let x = 0; x < w; x++) {
        const o = 4 * (y * w + x), i = 4 * (y * a.width + x), j = 4 * (y * b.width + x);
        const both = x < a.width && x < b.width && y < a.height && y < b.height;
        let any = 0;
        for (let k = 0; k < channels; k++)
          any |= apart[o + k] = both ? Math.abs(a.data[i + k] - b.data[j + k]) : 255;
        if (any) {
          x0 = Math.min(x0, x); y0 = Math.min(y0, y);
          x1 = Math.max(x1, x + 1); y1 = Math.max(y1, y + 1);
        }
      }
    this.apart = apart;
    this.box = x1 > x0 ? [x0, y0, x1, y1] : null;
    /* The square root makes small differences visible. */
    this.heat = this.paint((i) => {
      const d = Math.max(apart[4 * i], apart[4 * i + 1], apart[4 * i + 2], apart[4 * i + 3]);
      return RAMP_256[d && Math.round(40 + 215 * Math.sqrt(d / 255))];
    }, this);
    this.gain(8);
  },

  /* Differences of alpha are grey. */
  gain(factor) {
    const apart = this.apart;
    if (apart)
      this.difference = this.paint((i) => [0, 1, 2].map((k) =>
        Math.min(255, Math.max(apart[4 * i + k], apart[4 * i + 3]) * factor)), this);
  },

  paint(colourAt, { width, height }) {
    const canvas = canvasOf(width, height), image = new ImageData(width, height), out = image.data;
    for (let i = 0; i < width * height; i++) {
      const c = colourAt(i);
      out[4 * i] = c[0];
      out[4 * i + 1] = c[1];
      out[4 * i + 2] = c[2];
      out[4 * i + 3] = c.length > 3 ? c[3] : 255;
    }
    canvas.getContext("2d").putImageData(image, 0, 0);
    canvas.pixels = out;
    return canvas;
  },

  masked(x, y) {
    const p = this.at(this.mask, x, y);
    return !!p && (p[0] | p[1] | p[2]) !== 0;
  },

  /* Stripes over the pixels of the mask. */
  paintMask() {
    const w = this.mask.width;
    return this.paint((i) => {
      const x = i % w, y = (i - x) / w;
      return this.masked(x, y) ? ((x + y) & 4 ? [60, 220, 255, 150] : [60, 220, 255, 70]) : [0, 0, 0, 0];
    }, this.mask);
  },
};
