import { buffer } from 'node:stream/consumers';
import sharp from 'sharp';

// Re-encodes one image in a separate process (see reencode-image.ts). Standard input: the image. Standard output: one line of JSON, then
// the new image. Argument: JSON with the limits, `format`, `output` and `timeLimitMs`. Plain JavaScript, because Node runs this file directly, both in
// the build and in tests.

const limits = JSON.parse(process.argv[2]);

sharp.cache(false);
sharp.concurrency(1);
// Unused decoders are disabled to reduce the attack surface.
const decoders = { jpeg: 'VipsForeignLoadJpeg', png: 'VipsForeignLoadPng', webp: 'VipsForeignLoadWebp' };
sharp.block({ operation: ['VipsForeignLoad'] });
// A photo is decoded twice: the new JPEG is measured.
sharp.unblock({ operation: [decoders[limits.format], 'VipsForeignLoadJpeg'] });

const {
  format,
  output,
  edges,
  timeLimitMs,
  pixelsMax,
  scannedPixelsMax,
  decodedEdgeMax,
  decodedBytesMax,
  edgeMax,
  quality,
  measuredEdge,
} = limits;
/** The names in sharp for color values of 16 bits. */
const samplesOf16Bits = ['ushort', 'short'];

/** Markers of a JPEG. Those in `withoutSegment` have no length after them. */
const [startOfScan, endOfImage] = [0xda, 0xd9];
const withoutSegment = [0x00, 0x01, 0xd0, 0xd1, 0xd2, 0xd3, 0xd4, 0xd5, 0xd6, 0xd7];

/** The scans of a JPEG. Skips whole segments, because metadata can have a small JPEG inside, and ignores everything after the end. */
function countScans(jpeg) {
  let count = 0;
  for (let at = 2; (at = jpeg.indexOf(0xff, at)) !== -1 && at + 3 < jpeg.length; ) {
    const marker = jpeg[at + 1];
    if (marker === endOfImage) break;
    if (marker === startOfScan) count += 1;
    // Before a marker, 0xff may be repeated.
    if (marker === 0xff) at += 1;
    else at += withoutSegment.includes(marker) ? 2 : 2 + jpeg.readUInt16BE(at + 2);
  }
  return count;
}

/** Why an image must not be decoded; undefined if it may be decoded. Reads only the header of the file. */
async function findError(bytes) {
  const metadata = await sharp(bytes, { failOn: 'error', limitInputPixels: false }).metadata();
  if (metadata.format !== format) return 'not_an_image';
  if (metadata.pages > 1) return 'animated';
  // A long thin image has few pixels, but its rows and columns need gigabytes during processing.
  if (Math.max(metadata.width, metadata.height) > decodedEdgeMax) return 'too_large';
  const pixels = metadata.width * metadata.height;
  if (format === 'jpeg' && pixels * countScans(bytes) > scannedPixelsMax) return 'too_large';
  const sampleBytes = samplesOf16Bits.includes(metadata.depth) ? 2 : 1;
  return pixels > pixelsMax || pixels * metadata.channels * sampleBytes > decodedBytesMax ? 'too_large' : undefined;
}

/**
 * Decodes once, rotates the image upright, and writes only pixels: no EXIF, no color profile, no comments, no data after the end. Rows are
 * processed one by one. Optimized coding is off: it makes the JPEG only a tenth smaller, and holds the whole image in memory (about 40 MB).
 */
const encodeJpeg = (bytes) =>
  sharp(bytes, { failOn: 'error', limitInputPixels: pixelsMax })
    .timeout({ seconds: Math.ceil(timeLimitMs / 1000) })
    .autoOrient()
    .resize({ width: edgeMax, height: edgeMax, fit: 'inside', withoutEnlargement: true })
    .flatten({ background: '#ffffff' })
    .jpeg({ quality, optimizeCoding: false })
    .toBuffer({ resolveWithObject: true });

/** A logo. With at most 256 colors, it has at most about 80 KB. */
const encodeLogo = async (bytes) => {
  const pixels = await sharp(bytes, { failOn: 'error', limitInputPixels: pixelsMax })
    .timeout({ seconds: Math.ceil(timeLimitMs / 1000) })
    .autoOrient()
    .toColourspace('srgb')
    .resize({ width: edges[0], height: edges[1], fit: 'inside', withoutEnlargement: true })
    .png({ palette: true, compressionLevel: 9 })
    .toBuffer({ resolveWithObject: true });
  return { image: pixels.data, width: pixels.info.width, height: pixels.info.height };
};

/** The grey version of a JPEG, whose sharpness and brightness are measured. */
const greyOf = (jpeg) =>
  sharp(jpeg)
    .resize({ width: measuredEdge, height: measuredEdge, fit: 'inside', withoutEnlargement: true })
    .greyscale()
    .raw()
    .toBuffer({ resolveWithObject: true });

/** The sharpness (variance of the Laplacian) and the brightness (mean) of a grey image. */
function measure(grey, width, height) {
  let [laplacianSum, squareSum, greySum, count] = [0, 0, 0, 0];
  for (const value of grey) greySum += value;
  for (let y = 1; y < height - 1; y += 1)
    for (let index = y * width + 1; index < (y + 1) * width - 1; index += 1) {
      const laplacian = grey[index - 1] + grey[index + 1] + grey[index - width] + grey[index + width] - 4 * grey[index];
      laplacianSum += laplacian;
      squareSum += laplacian * laplacian;
      count += 1;
    }
  const sharpness = count === 0 ? 0 : squareSum / count - (laplacianSum / count) ** 2;
  return { sharpness, brightness: greySum / grey.length };
}

async function reencode(bytes) {
  try {
    const error = await findError(bytes);
    if (error) return { error };
    if (output === 'png') return await encodeLogo(bytes);
    const { data: jpeg, info } = await encodeJpeg(bytes);
    const grey = await greyOf(jpeg);
    return {
      image: jpeg,
      width: info.width,
      height: info.height,
      ...measure(grey.data, grey.info.width, grey.info.height),
    };
  } catch {
    return { error: 'unreadable' };
  }
}

const { image, ...result } = await reencode(await buffer(process.stdin));
process.stdout.write(`${JSON.stringify(result)}\n`);
if (image) process.stdout.write(image);
