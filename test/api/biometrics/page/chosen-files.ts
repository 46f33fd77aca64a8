import { crc32, deflateSync } from 'node:zlib';

/** A part of a PNG file, with its length and checksum. */
function pngChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  checksum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, checksum]);
}

/** `grey` returns the value of each pixel, from 0 to 255. */
export function greyPng(width: number, height: number, grey: (x: number, y: number) => number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 0, 0, 0, 0], 8);
  const rows = Buffer.alloc((width + 1) * height);
  for (let y = 0; y < height; y += 1) for (let x = 0; x < width; x += 1) rows[y * (width + 1) + 1 + x] = grey(x, y);
  const signature = Buffer.from('89504e470d0a1a0a', 'hex');
  return Buffer.concat([
    signature,
    pngChunk('IHDR', header),
    pngChunk('IDAT', deflateSync(rows)),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}

/** Sharp edges, like printed text. `low` and `high`: two values of grey. */
const squares = (low: number, high: number) => (x: number, y: number) => (((x >> 4) + (y >> 4)) % 2 ? low : high);

const pngFile = (name: string, buffer: Buffer) => ({ name, mimeType: 'image/png', buffer });

/** Files that a person chooses in place of a picture from the camera. The names say what is good or wrong. */
export const chosenFiles = {
  good: pngFile('good.png', greyPng(1_200, 800, squares(40, 220))),
  dark: pngFile('dark.png', greyPng(1_200, 800, squares(2, 30))),
  bright: pngFile('bright.png', greyPng(1_200, 800, squares(240, 255))),
  small: pngFile('small.png', greyPng(500, 320, squares(40, 220))),
  blurred: pngFile(
    'blurred.png',
    greyPng(1_200, 800, (x) => 80 + Math.round((x * 100) / 1_200)),
  ),
  text: { name: 'note.txt', mimeType: 'text/plain', buffer: Buffer.from('no picture') },
  broken: pngFile('broken.png', Buffer.from('89504e470d0a1a0a00', 'hex')),
};
