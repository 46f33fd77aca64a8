import sharp from 'sharp';
import { randomBytes } from 'node:crypto';
import { deflateSync } from 'node:zlib';

export const plainImage = (width: number, height: number, background = '#808080') =>
  sharp({ create: { width, height, channels: 3, background } });

/** An image like a photo: noise does not compress, so the size in bytes depends on the size in pixels. */
export async function noiseImage(width: number, height: number, quality = 90): Promise<Buffer> {
  const raw = { width, height, channels: 3 } as const;
  return sharp(randomBytes(width * height * 3), { raw })
    .jpeg({ quality })
    .toBuffer();
}

/** A JPEG whose last scan follows `times` more times. */
export function withRepeatedScan(jpeg: Buffer, times: number): Buffer {
  const [start, end] = [jpeg.lastIndexOf('ffda', undefined, 'hex'), jpeg.lastIndexOf('ffd9', undefined, 'hex')];
  const scan = jpeg.subarray(start, end);
  return Buffer.concat([jpeg.subarray(0, end), ...Array<Buffer>(times).fill(scan), jpeg.subarray(end)]);
}

const crcTable = Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1;
  return value;
});

/** The CRC-32 of a PNG chunk. */
function crc(bytes: Buffer): number {
  let value = -1;
  for (const byte of bytes) value = (crcTable[(value ^ byte) & 255] ?? 0) ^ (value >>> 8);
  return ~value >>> 0;
}

export function pngChunk(type: string, data = Buffer.alloc(0)): Buffer {
  const typeAndData = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  checksum.writeUInt32BE(crc(typeAndData));
  return Buffer.concat([length, typeAndData, checksum]);
}

/** The first eight bytes of every PNG. */
export const pngMagic = Buffer.from('89504e470d0a1a0a', 'hex');

interface PngShape {
  width: number;
  height: number;
  bitsPerSample?: number;
  /** Color type of PNG: 0 gray, 2 colors, 6 colors and transparency. */
  colorType?: number;
  /** Chunks between header and data. */
  chunksBeforeData?: Buffer;
}

/** A small file with a large decoded image: zeros compress very well. */
export function zeroPng({
  width,
  height,
  bitsPerSample = 8,
  colorType = 0,
  chunksBeforeData = Buffer.alloc(0),
}: PngShape): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.writeUInt8(bitsPerSample, 8);
  header.writeUInt8(colorType, 9);
  const samples = { 0: 1, 2: 3, 6: 4 }[colorType] ?? 1;
  const rowBytes = 1 + Math.ceil((width * bitsPerSample * samples) / 8);
  const data = deflateSync(Buffer.alloc(rowBytes * height), { level: 9 });
  return Buffer.concat([
    pngMagic,
    pngChunk('IHDR', header),
    chunksBeforeData,
    pngChunk('IDAT', data),
    pngChunk('IEND'),
  ]);
}
