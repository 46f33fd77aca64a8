import v8 from 'node:v8';
import vm from 'node:vm';
import { parentPort, workerData } from 'node:worker_threads';
import sharp from 'sharp';

// Runs in a thread of its own, see reencode-image.ts. Plain JavaScript, because a thread starts from a file that Node
// reads as it is, in the build and in tests alike.

sharp.cache(false);
sharp.concurrency(1);
// A decoder that cannot be reached cannot be attacked.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({ operation: ['VipsForeignLoadJpeg', 'VipsForeignLoadPng'] });

// The collector of this thread sees a few small objects and would wait for dozens of images; tens of megabytes outside its
// heap hang on them.
v8.setFlagsFromString('--expose-gc');
const collectGarbage = vm.runInNewContext('gc');
v8.setFlagsFromString('--no-expose-gc');

const { timeLimitMs, pixelsMax, decodedEdgeMax, decodedBytesMax, edgeMax, quality, measuredEdge } = workerData;
const samplesOf16Bits = ['ushort', 'short'];

/** Why an image is not decoded, from the head of the file alone. Nothing is decoded for it. */
async function findFault(bytes, format) {
  const head = await sharp(bytes, { failOn: 'error', limitInputPixels: false }).metadata();
  if (head.format !== format) return 'not_an_image';
  // A long thin image has few pixels, and takes gigabytes while its rows and columns are worked on.
  if (Math.max(head.width, head.height) > decodedEdgeMax) return 'too_large';
  const pixels = head.width * head.height;
  const sampleBytes = samplesOf16Bits.includes(head.depth) ? 2 : 1;
  return pixels > pixelsMax || pixels * head.channels * sampleBytes > decodedBytesMax ? 'too_large' : undefined;
}

/**
 * Decodes once, turns upright, and writes pixels only: no EXIF, no profile, no comments, nothing after the end. The rows
 * of an image go through one by one: looking for the best coding would hold all of it, some 40 MB, to save a tenth.
 */
const write = (bytes) =>
  sharp(bytes, { failOn: 'error', limitInputPixels: pixelsMax })
    .timeout({ seconds: Math.ceil(timeLimitMs / 1000) })
    .autoOrient()
    .resize({ width: edgeMax, height: edgeMax, fit: 'inside', withoutEnlargement: true })
    .flatten({ background: '#ffffff' })
    .jpeg({ quality, optimizeCoding: false })
    .toBuffer({ resolveWithObject: true });

const greyOf = (jpeg) =>
  sharp(jpeg)
    .resize({ width: measuredEdge, height: measuredEdge, fit: 'inside', withoutEnlargement: true })
    .greyscale()
    .raw()
    .toBuffer({ resolveWithObject: true });

/** The variance of the Laplacian, and the mean. */
function measure(grey, width, height) {
  let [sum, squares, total, count] = [0, 0, 0, 0];
  for (const value of grey) total += value;
  for (let y = 1; y < height - 1; y += 1)
    for (let at = y * width + 1; at < (y + 1) * width - 1; at += 1) {
      const bend = grey[at - 1] + grey[at + 1] + grey[at - width] + grey[at + width] - 4 * grey[at];
      sum += bend;
      squares += bend * bend;
      count += 1;
    }
  const sharpness = count === 0 ? 0 : squares / count - (sum / count) ** 2;
  return { sharpness, brightness: total / grey.length };
}

async function reencode({ bytes, format }) {
  try {
    const fault = await findFault(bytes, format);
    if (fault) return { fault };
    const { data: jpeg, info } = await write(bytes);
    const grey = await greyOf(jpeg);
    return { jpeg, width: info.width, height: info.height, ...measure(grey.data, grey.info.width, grey.info.height) };
  } catch {
    return { fault: 'unreadable' };
  }
}

/** Memory of the decoder cannot be handed over, and a message would copy it twice. */
function answerWith(answer) {
  if ('fault' in answer) return parentPort.postMessage(answer);
  const jpeg = new Uint8Array(answer.jpeg);
  parentPort.postMessage({ ...answer, jpeg }, [jpeg.buffer]);
}

parentPort.on(
  'message',
  (image) =>
    void reencode(image)
      .then(answerWith)
      .then(() => setImmediate(() => collectGarbage())),
);
parentPort.postMessage('ready');
