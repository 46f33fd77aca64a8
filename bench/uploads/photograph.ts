import sharp from 'sharp';

/** What the cameras of most telephones give: 12 megapixels. */
const telephone = { width: 4_000, height: 3_000 };
/** Of today's telephones; what is left of the size is grain. */
const quality = 90;
/** Nobody measures uploads so exactly. */
const sizeWithin = 0.02;
const triesMax = 12;

/** Any; always the same, so that runs can be compared. */
const seed = 20_260_103;

/** Numbers from -1 to 1, about 0 mostly: the sum of three dice. */
function grainOf(count: number): Float32Array {
  let state = seed;
  const die = () => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 32;
  return Float32Array.from({ length: count }, () => ((die() + die() + die()) * 2) / 3 - 1);
}

interface Size {
  width: number;
  height: number;
}

/** Random colours between two greys, drawn large: the smoother the fewer. */
async function cloud({ width, height }: Size, columns: number, [least, most]: [number, number]): Promise<Buffer> {
  const rows = Math.ceil((columns * height) / width);
  const grain = grainOf(columns * rows * 3);
  const colours = Uint8Array.from(grain, (one) => least + ((one + 1) / 2) * (most - least));
  return sharp(colours, { raw: { width: columns, height: rows, channels: 3 } })
    .resize(width, height, { kernel: 'cubic', fit: 'fill' })
    .raw()
    .toBuffer();
}

export interface Photograph extends Size {
  jpeg: Buffer;
}

/** A JPEG like a telephone's: soft shapes, some detail, and as much grain as brings it near a size. Throws when none does. */
export async function makePhotograph(bytes: number, size: Size = telephone): Promise<Photograph> {
  const [shapes, detail] = [await cloud(size, 16, [40, 210]), await cloud(size, 400, [0, 60])];
  // Long enough that its repetition falls on no pattern of the picture.
  const grain = grainOf(1_000_003);
  const pixels = new Uint8ClampedArray(shapes.length);
  let [low, high] = [0, 128];
  for (let tries = 0; tries < triesMax; tries += 1) {
    const strength = (low + high) / 2;
    for (let at = 0; at < pixels.length; at += 1) {
      pixels[at] = (shapes[at] ?? 0) + (detail[at] ?? 0) - 30 + (grain[at % grain.length] ?? 0) * strength;
    }
    const jpeg = await sharp(pixels, { raw: { ...size, channels: 3 } })
      .jpeg({ quality })
      .toBuffer();
    if (Math.abs(jpeg.length / bytes - 1) <= sizeWithin) return { jpeg, ...size };
    [low, high] = jpeg.length > bytes ? [low, strength] : [strength, high];
  }
  throw new Error(`No photograph of ${size.width} by ${size.height} pixels has ${bytes} bytes.`);
}
