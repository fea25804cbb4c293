/* Pictures: decodes PNG files to exact values and paints canvases. */
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

const bytesOf = (base64) => Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
const uriBytes = (uri) => bytesOf(uri.slice(uri.indexOf(",") + 1));

/* {width, height, data: RGBA bytes} of the bytes of an image file. The exact values of common PNG types;
 * the browser decodes the others: a canvas would premultiply alpha and convert colour spaces. */
async function decodePicture(bytes) {
  return (await decodePng(bytes)) || decodeImage(bytes);
}

async function decodeImage(bytes) {
  const image = new Image();
  image.src = URL.createObjectURL(new Blob([bytes]));
  try {
    await image.decode();
  } finally {
    URL.revokeObjectURL(image.src);
  }
  const width = image.naturalWidth, height = image.naturalHeight;
  const context = canvasOf(width, height).getContext("2d", { willReadFrequently: true });
  context.drawImage(image, 0, 0);
  return { width, height, data: context.getImageData(0, 0, width, height).data };
}

/* Returns [type, bytes] of every chunk. */
function pngChunks(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength), chunks = [];
  for (let at = 8; at + 12 <= bytes.length; at += 12 + view.getUint32(at))
    chunks.push([String.fromCharCode(...bytes.subarray(at + 4, at + 8)),
      bytes.subarray(at + 8, at + 8 + view.getUint32(at))]);
  return chunks;
}

/* Supports non-interlaced 8-bit grey, RGB and RGBA; returns null for other types. */
async function decodePng(bytes) {
  const chunks = pngChunks(bytes), head = chunks[0]?.[1];
  if (!head || chunks[0][0] !== "IHDR" || head[8] !== 8 || head[12] || !window.DecompressionStream) return null;
  const channels = { 0: 1, 2: 3, 6: 4 }[head[9]];
  if (!channels || chunks.some(([type]) => type === "tRNS")) return null;
  const view = new DataView(head.buffer, head.byteOffset), width = view.getUint32(0), height = view.getUint32(4);
  const packed = new Blob(chunks.filter(([type]) => type === "IDAT").map(([, part]) => part));
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

/* A canvas of the colours [r, g, b] or [r, g, b, a], 0 to 255, of each pixel; canvas.pixels has them. */
function paint(colourAt, { width, height }) {
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
}
