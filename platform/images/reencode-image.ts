import { spawn } from 'node:child_process';
import { once } from 'node:events';
import os from 'node:os';
import path from 'node:path';
import pLimit from 'p-limit';
import { formatOf, isAnimatedPng } from './image-format';

/**
 * Why an image is not taken. `not_an_image`: neither JPEG nor PNG by its content. `unreadable`: broken, or it took too
 * long. `gone`: `load` found nothing when the turn of the image came.
 */
export type ReencodeError = 'unreadable' | 'too_large' | 'not_an_image' | 'animated' | 'gone';

/** A new image from the pixels of another: a JPEG, upright, without metadata. */
export interface ReencodedImage {
  jpeg: Buffer;
  /** In pixels, at most 4096 each. */
  width: number;
  height: number;
  /**
   * Variance of the Laplacian (4 neighbours) over a grey version of at most 512 pixels an edge: 0 for one even colour,
   * below some 50 for what is out of focus, hundreds for a sharp photograph. Larger images are compared at equal size.
   */
  sharpness: number;
  /** Mean of the same grey version: 0 black to 255 white. */
  brightness: number;
}

/** Makes safe images from untrusted ones, one at a time. */
export interface Reencoder {
  /**
   * Resolves to the new image, or to the reason why there is none. Images wait for their turn in the order of arrival;
   * `load` is called when the turn comes, so that no image waits in memory. Rejects with what `load` throws, and with
   * Error when no process can be started for the image: neither says anything about the image.
   */
  reencode(load: () => Promise<Buffer | undefined>): Promise<ReencodedImage | { error: ReencodeError }>;
}

export interface ReencoderOptions {
  /** For one image. Default 20 s: the largest photographs take 2 s on one slow core, which others may need more. */
  timeLimitMs?: number;
  /** The program of the process, for tests of how a failing one is handled. */
  program?: string;
}

/** Twice the size of a phone's photograph. */
const imageBytesMax = 10 * 1024 * 1024;

const limits = {
  /** The photographs of today's phones in their usual settings have 12 to 25. */
  pixelsMax: 40_000_000,
  /** The widest panoramas of phones; 16,384 by 2,441 pixels take 160 MB while they are decoded. */
  decodedEdgeMax: 16_384,
  /** 40 megapixels with transparency: a PNG with twice the depth may have half as many. */
  decodedBytesMax: 160_000_000,
  /** More shows no more of a face or of a document. */
  edgeMax: 4096,
  /** Small print on documents stays legible; above, only the size grows. */
  quality: 90,
  measuredEdge: 512,
};

/** A bound on what a decoder that was taken over can make the API hold: a JPEG of nothing but noise has about 15 MB. */
const resultBytesMax = 64 * 1024 * 1024;

/**
 * A re-encoder with a process for each image. A hostile image can harm only that process, which has no settings of the service and a
 * lower priority than the process that answers callers.
 */
export function createReencoder(options: ReencoderOptions = {}): Reencoder {
  const { timeLimitMs = 20_000, program = path.join(__dirname, 'reencode-program.mjs') } = options;
  // The largest image takes up to 300 MB while it is decoded, so there is one at a time.
  const inTurn = pLimit(1);

  async function decode(bytes: Buffer, format: string): Promise<ReencodedImage | { error: ReencodeError }> {
    const args = ['--max-old-space-size=64', program, JSON.stringify({ ...limits, format, timeLimitMs })];
    const child = spawn(process.execPath, args, {
      // What a decoder that was taken over writes must not reach the log.
      stdio: ['pipe', 'pipe', 'ignore'],
      env: {},
      timeout: timeLimitMs,
      killSignal: 'SIGKILL',
      // A session of its own: Linux shares the cores between sessions before it looks at the priorities of processes.
      detached: true,
    });
    const closed = once(child, 'close');
    lowerPriority(child.pid);
    // It may end before it has read everything.
    child.stdin.on('error', () => undefined).end(bytes);
    const parts: Buffer[] = [];
    let size = 0;
    child.stdout.on('data', (part: Buffer) => {
      size += part.length;
      if (size <= resultBytesMax) parts.push(part);
      else child.kill('SIGKILL');
    });
    const [code, signal] = (await closed) as [number | null, NodeJS.Signals | null];
    // By the time limit, or by what the image made the decoder do.
    if (signal) return { error: 'unreadable' };
    if (code !== 0) throw new Error(`The decoder of images ended with exit code ${code}.`);
    return readResult(Buffer.concat(parts));
  }

  return {
    reencode: (load) =>
      inTurn(async () => {
        const bytes = await load();
        if (!bytes) return { error: 'gone' };
        const format = formatOf(bytes);
        if (bytes.length > imageBytesMax) return { error: 'too_large' };
        if (!format) return { error: 'not_an_image' };
        if (format === 'png' && isAnimatedPng(bytes)) return { error: 'animated' };
        return decode(bytes, format);
      }),
  };
}

function lowerPriority(pid: number | undefined): void {
  try {
    if (pid !== undefined) os.setPriority(pid, os.constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // It has ended already.
  }
}

/** One line of JSON, then the JPEG. */
function readResult(result: Buffer): ReencodedImage | { error: ReencodeError } {
  const end = result.indexOf('\n');
  const image = JSON.parse(result.toString('utf8', 0, end)) as Omit<ReencodedImage, 'jpeg'> | { error: ReencodeError };
  return 'error' in image ? image : { ...image, jpeg: result.subarray(end + 1) };
}
