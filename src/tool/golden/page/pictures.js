/* Pictures of a case and images derived from them: differences, heat map, FLIP. Pictures are data
 * URIs, because a page loaded from disk may not read the pixels of files. */
async function readPicture(uri) {
  if (!uri) return null;
  const { width, height, data } = await decodePicture(uriBytes(uri));
  const size = { width, height };
  return { width, height, data,
    canvas: paint((i) => [data[4 * i], data[4 * i + 1], data[4 * i + 2]], size),
    alpha: paint((i) => [data[4 * i + 3], data[4 * i + 3], data[4 * i + 3]], size) };
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
    if (this.flip) this.flipMap = paint((i) => RAMP_256[this.flip.data[4 * i]], this.flip);
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
    this.heat = paint((i) => {
      const d = Math.max(apart[4 * i], apart[4 * i + 1], apart[4 * i + 2], apart[4 * i + 3]);
      return RAMP_256[d && Math.round(40 + 215 * Math.sqrt(d / 255))];
    }, this);
    this.gain(8);
  },

  /* Differences of alpha are grey. */
  gain(factor) {
    const apart = this.apart;
    if (apart)
      this.difference = paint((i) => [0, 1, 2].map((k) =>
        Math.min(255, Math.max(apart[4 * i + k], apart[4 * i + 3]) * factor)), this);
  },

  masked(x, y) {
    const p = this.at(this.mask, x, y);
    return !!p && (p[0] | p[1] | p[2]) !== 0;
  },

  /* Stripes over the pixels of the mask. */
  paintMask() {
    const w = this.mask.width;
    return paint((i) => {
      const x = i % w, y = (i - x) / w;
      return this.masked(x, y) ? ((x + y) & 4 ? [60, 220, 255, 150] : [60, 220, 255, 70]) : [0, 0, 0, 0];
    }, this.mask);
  },
};
