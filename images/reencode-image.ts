import os from 'node:os';
import path from 'node:path';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { FairQueue } from '../platform/fair-queue';

/**
 * Why an image is rejected. `not_an_image`: its content has no allowed format: JPEG or PNG, and for a logo also WebP. `unreadable`: it is broken, or decoding took too
 * long. `too_large`: it has too many pixels, or reading them takes too long. `animated`: it has several pictures. `gone`: `load` returned nothing.
 */
export type ReencodeError = 'unreadable' | 'too_large' | 'not_an_image' | 'animated' | 'gone';

/** A new image, made only from the pixels of the untrusted image. It is an upright JPEG without metadata. */
export interface ReencodedImage {
  jpeg: Buffer;
  /** In pixels, at most 4096 each. */
  width: number;
  height: number;
  /**
   * Variance of the Laplacian (4 neighbours) of a grey version of the image. The edges of this version have at most 512 pixels, so that
   * images of different sizes are comparable. 0: the image has one color. Below about 30: out of focus. Hundreds: a sharp photo.
   */
  sharpness: number;
  /** Mean value of the pixels of the grey version, from 0 (black) to 255 (white). */
  brightness: number;
}

/** A logo, made only from the pixels of the untrusted image, without metadata. */
export interface ReencodedLogo {
  png: Buffer;
  /** In pixels, at most 480. */
  width: number;
  /** In pixels, at most 160. */
  height: number;
}

/** Creates safe images from untrusted ones: two at a time, and one of each tenant. */
export interface Reencoder {
  /**
   * Resolves to the new image, or to the reason why there is none. The tenants whose images wait take turns. `load` is called when the
   * image is next, so that no image waits in memory. Rejects with the error of `load`, and with Error when no process can be
   * started.
   */
  reencode(load: () => Promise<Buffer | undefined>): Promise<ReencodedImage | { error: ReencodeError }>;
  /** Like `reencode`, for a logo. It keeps transparent pixels. */
  reencodeLogo(image: Buffer): Promise<ReencodedLogo | { error: ReencodeError }>;
}

export interface ReencoderOptions {
  /** Timeout of one image. Default: 20 s. The largest photos take 2 s on one slow core. The core may also have other work. */
  timeLimitMs?: number;
  /** Path of the program that re-encodes the image. Tests use a program that fails. */
  program?: string;
}

/** The limits of images. The program that re-encodes an image gets them as an argument. */
const limits = {
  /** Maximum number of pixels. Photos of current phones usually have 12 to 25 million pixels. */
  pixelsMax: 40_000_000,
  /**
   * Maximum edge of the received image, in pixels. Panoramas of phones can have this width. With `pixelsMax`, their height can then be
   * 2,441 pixels.
   */
  decodedEdgeMax: 16_384,
  /**
   * Maximum number of pixels, counted once for each scan. A progressive JPEG shows the whole picture in several scans, usually 10, and the
   * decoder reads all of them. So a progressive picture of 25 megapixels takes as long as any other of 40. Phones do not make larger ones.
   */
  scannedPixelsMax: 250_000_000,
  /** Maximum size after decoding: 40 megapixels of 4 bytes (RGBA, 8 bits per color). With 16 bits per color, only 20 megapixels fit. */
  decodedBytesMax: 160_000_000,
  /** Maximum edge of the new image, in pixels. More pixels do not show more of a face or a document. */
  edgeMax: 4096,
  /** Quality of the JPEG, from 1 to 100. With 90, small print on documents can be read. A higher value only makes the file larger. */
  quality: 90,
  /** Longest edge of the grey version whose sharpness and brightness are measured. */
  measuredEdge: 512,
};

/**
 * The limits of logos. Pages and mails show a logo with at most 160 x 40 CSS pixels, and phones have three pixels for one. The source of a
 * logo is at most 64 KB, so one with more pixels than these is made to cost memory.
 */
const logoLimits = {
  ...limits,
  pixelsMax: 4_000_000,
  decodedEdgeMax: 4_096,
  decodedBytesMax: 16_000_000,
  edges: [480, 160],
};

/**
 * The largest result that is accepted. This limits the memory that a compromised decoder can use in the API. The largest real result, a
 * JPEG of pure noise, has about 15 MB.
 */
const resultBytesMax = 64 * 1024 * 1024;

/**
 * A re-encoder that starts a process for each image. A hostile image can harm only this process. The process gets no settings of the
 * service, and has a lower priority than the process that answers callers.
 */
export function createReencoder(options: ReencoderOptions = {}): Reencoder {
  const { timeLimitMs = 20_000, program = path.join(__dirname, 'reencode-program.mjs') } = options;
  // The process that decodes the largest image takes up to 300 MB, so only two images are decoded at a time. A tenant has one of them, so
  // another tenant does not wait for the slow images of this tenant.
  const queue = new FairQueue({ slots: 2, slotsPerTenant: 1 });

  async function runProgram(
    bytes: Buffer,
    format: string,
    as: { output: 'jpeg' | 'png' } & typeof limits,
  ): Promise<ReturnType<typeof readResult>> {
    const args = ['--max-old-space-size=64', program, JSON.stringify({ ...as, format, timeLimitMs })];
    const child = spawn(process.execPath, args, {
      // The output of a compromised decoder must not reach the log.
      stdio: ['pipe', 'pipe', 'ignore'],
      env: {},
      timeout: timeLimitMs,
      killSignal: 'SIGKILL',
      // Starts the decoder in its own Linux session. Linux can divide the CPU time first between sessions, and then between the processes
      // of a session, by their priority. So all threads of the decoder together get at most the share of one session.
      detached: true,
    });
    const closed = once(child, 'close');
    lowerPriority(child.pid);
    // If the process ends before it has read all bytes, this write fails. The code below handles the end of the process.
    child.stdin.on('error', () => undefined).end(bytes);
    const chunks: Buffer[] = [];
    let size = 0;
    child.stdout.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= resultBytesMax) chunks.push(chunk);
      else child.kill('SIGKILL');
    });
    const [code, signal] = (await closed) as [number | null, NodeJS.Signals | null];
    // The process reached the time limit, or the decoder crashed.
    if (signal) return { about: { error: 'unreadable' }, image: Buffer.alloc(0) };
    if (code !== 0) throw new Error(`The decoder of images ended with exit code ${code}.`);
    return readResult(Buffer.concat(chunks));
  }

  return {
    reencodeLogo: (image) =>
      queue.run(async () => {
        const format = isWebp(image) ? 'webp' : formatOf(image);
        if (!format) return { error: 'not_an_image' };
        if (format === 'png' && isAnimatedPng(image)) return { error: 'animated' };
        const { about, image: png } = await runProgram(image, format, { ...logoLimits, output: 'png' });
        return about.error === undefined ? { ...(about as Omit<ReencodedLogo, 'png'>), png } : { error: about.error };
      }),
    reencode: (load) =>
      queue.run(async () => {
        const bytes = await load();
        if (!bytes) return { error: 'gone' };
        const format = formatOf(bytes);
        if (!format) return { error: 'not_an_image' };
        if (format === 'png' && isAnimatedPng(bytes)) return { error: 'animated' };
        const { about, image: jpeg } = await runProgram(bytes, format, { ...limits, output: 'jpeg' });
        return about.error === undefined
          ? { ...(about as Omit<ReencodedImage, 'jpeg'>), jpeg }
          : { error: about.error };
      }),
  };
}

function lowerPriority(pid: number | undefined): void {
  try {
    if (pid !== undefined) os.setPriority(pid, os.constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // The process has already ended.
  }
}

/** Reads the output of the program: one line of JSON, then the new image. */
function readResult(result: Buffer): { about: { error?: ReencodeError }; image: Buffer } {
  const end = result.indexOf('\n');
  const about = JSON.parse(result.toString('utf8', 0, end)) as { error?: ReencodeError };
  return { about, image: result.subarray(end + 1) };
}

const pngMagic = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const jpegMagic = Buffer.from([0xff, 0xd8, 0xff]);

/** The format of an image, by its first bytes. Undefined for other formats. File name and media type do not count: senders choose them. */
export function formatOf(bytes: Buffer): 'jpeg' | 'png' | undefined {
  if (bytes.subarray(0, jpegMagic.length).equals(jpegMagic)) return 'jpeg';
  return bytes.subarray(0, pngMagic.length).equals(pngMagic) ? 'png' : undefined;
}

const isWebp = (bytes: Buffer) =>
  bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP';

/** A chunk of a PNG has its length and type before the data, and a checksum after the data. */
const chunkHeadBytes = 8;
const chunkOverheadBytes = 12;

/**
 * Whether a PNG is animated (it has an acTL chunk before the first image data). Animated files are rejected: many decoders show only the
 * first picture, so other pictures could be hidden.
 */
export function isAnimatedPng(png: Buffer): boolean {
  for (let offset = pngMagic.length; offset + chunkHeadBytes <= png.length; ) {
    const type = png.toString('latin1', offset + 4, offset + chunkHeadBytes);
    if (type === 'acTL') return true;
    if (type === 'IDAT') return false;
    offset += chunkOverheadBytes + png.readUInt32BE(offset);
  }
  return false;
}
