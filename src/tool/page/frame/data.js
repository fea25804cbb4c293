/* Answers: the page asks by key, of scripts beside it or of the server (frame_page.h). */
const LIVE = !!window.NOVEM?.live;
const QUERY = LIVE ? location.search : "";

const Data = {
  MOST: 400, /* answers that are kept */
  answers: new Map(),
  waiting: new Map(),

  /* The answer to a key, or null if it has none. Rejects if the server has failed. */
  ask(key) {
    let answer = this.answers.get(key);
    if (answer) this.answers.delete(key);
    else {
      answer = LIVE ? this.fetch(key) : this.load(key);
      answer.catch(() => this.answers.delete(key)); /* ask again the next time */
    }
    this.answers.set(key, answer);
    if (this.answers.size > this.MOST) this.answers.delete(this.answers.keys().next().value);
    return answer;
  },

  load(key) {
    return new Promise((resolve) => {
      const script = make("script"), end = (value) => {
        script.remove();
        this.waiting.delete(key);
        resolve(value);
      };
      this.waiting.set(key, end);
      script.src = `data/${key}.js`;
      script.onerror = () => end(null);
      script.onload = () => { if (this.waiting.get(key) === end) end(null); }; /* it had another key */
      document.head.append(script);
    });
  },

  async fetch(key) {
    const response = await fetch(`data/${key}${QUERY}`);
    if (response.status === 404) return null;
    if (!response.ok) throw new Error(await this.why(response, key));
    return response.json();
  },

  /* The server's words, if it has any. */
  async why(response, key) {
    const text = (await response.text().catch(() => "")).trim();
    return text && text.length < 400 && !text.startsWith("<") ? text : `${key}: the server answers ${response.status}`;
  },

  async bytes(file) {
    const response = await fetch(file + QUERY);
    if (!response.ok) throw new Error(await this.why(response, file));
    return new Uint8Array(await response.arrayBuffer());
  },
};
const answer = (key, value) => Data.waiting.get(key)?.(value);

/* Only files of the folder images: an answer names them, and answers are made of a capture. */
const imageFile = (file) => (/^images\/[A-Za-z0-9_.-]+$/.test(file || "") ? file : null);

const Decoded = {
  MOST: 24,
  pictures: new Map(),

  /* Reads a PICTURE of an answer. Returns {width, height, format, image, data, floats, step}: data are
   * RGBA bytes, floats exact values, or values in steps; image is what a canvas can draw. Without data
   * only image is there. */
  read(picture) {
    const file = imageFile(picture?.file);
    if (!file) return Promise.resolve(null);
    let read = this.pictures.get(file);
    if (read) this.pictures.delete(file);
    else {
      read = this.decode(picture, file);
      read.catch(() => this.pictures.delete(file));
    }
    this.pictures.set(file, read);
    if (this.pictures.size > this.MOST) this.pictures.delete(this.pictures.keys().next().value);
    return read;
  },

  async decode(picture, file) {
    const [png, raw] = await (LIVE ? this.served(picture, file) : this.stored(file));
    const found = png ? await decodePicture(png) : await this.plain(file);
    if (!found) return null;
    const floats = raw && raw.length === 16 * found.width * found.height ?
      new Float32Array(raw.buffer.slice(raw.byteOffset, raw.byteOffset + raw.length)) : null;
    return { ...found, format: picture.format, ...(floats || !picture.ranged || !found.data ? { floats } : this.spreadRange(found, picture)) };
  },

  /* 0 to 255 of a ranged picture stand for its least and its greatest value: values in steps. */
  spreadRange({ data }, { min, max }) {
    const step = (max[0] - min[0]) / 255, floats = Float32Array.from(data, (v, i) => (i % 4 < 3 ? min[0] + v * step : 1));
    return { floats, step: step || 1e-9 };
  },

  served(picture, file) {
    const raw = imageFile(picture.raw);
    return Promise.all([Data.bytes(file), raw ? Data.bytes(raw).catch(() => null) : null]);
  },

  async stored(file) {
    const key = file.slice("images/".length).replace(/\.png$/, ""), found = await Data.ask(key);
    Data.answers.delete(key); /* the decoded picture is kept */
    return [found?.png && bytesOf(found.png), found?.planes ? await this.unpack(bytesOf(found.planes)) : null];
  },

  /* Floats of pixels, 16 bytes each: byte 0 of all pixels comes first. */
  async unpack(packed) {
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
    const planes = new Uint8Array(await new Response(stream).arrayBuffer()), n = planes.length / 16, out = new Uint8Array(16 * n);
    for (let k = 0; k < 16; k++)
      for (let i = 0, at = k * n; i < n; i++) out[16 * i + k] = planes[at + i];
    return out;
  },

  /* Those of the image file alone, or null. */
  async bytes(file) {
    return LIVE ? Data.bytes(file) : (await this.stored(file))[0] || null;
  },

  /* The pixels of an image file beside the page cannot be read. */
  async plain(file) {
    const image = new Image();
    image.src = file;
    await image.decode().catch(() => {});
    return image.naturalWidth ? { width: image.naturalWidth, height: image.naturalHeight, image } : null;
  },
};
