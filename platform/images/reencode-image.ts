import { formatOf, isAnimatedPng } from './image-format';
import { createLane } from './reencode-lane';

/** Why an image is not taken. `not_an_image`: neither JPEG nor PNG by its content. `unreadable`: broken, or it took too long. */
export type ReencodeFault = 'unreadable' | 'too_large' | 'not_an_image' | 'animated';

/** An image made anew from the pixels of another: a JPEG, upright, without any metadata. */
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

/** Makes safe images out of whatever was sent. */
export interface Reencoder {
  /**
   * Gives the image anew, or why it is not taken. Throws ReencoderBusyError when too much waits already, and Error when
   * images cannot be worked on here at all: neither says anything of the image.
   */
  reencode(bytes: Buffer): Promise<ReencodedImage | { fault: ReencodeFault }>;
  /** Ends the threads. What waits or is worked on fails. */
  close(): Promise<void>;
}

/** Too many images wait: try again later. */
export class ReencoderBusyError extends Error {
  override name = 'ReencoderBusyError';
}

export interface ReencoderOptions {
  /** Images worked on at once. Default 1: the largest takes some 150 MB while it is decoded. */
  threads?: number;
  /** Bytes that may wait in memory. Default 100 MB: 20 photographs of 5 MB. */
  waitingBytesMax?: number;
  /** For one image. Default 10 s: the largest photographs take 2 s on one slow core. */
  timeLimitMs?: number;
  /** The program of the threads, for tests of what is done about one that fails. */
  threadFile?: string;
}

const megabyte = 1024 * 1024;
/** Twice what a telephone's photograph takes. */
const imageBytesMax = 10 * megabyte;

const limits = {
  /** The photographs of today's telephones in their usual settings have 12 to 25. */
  pixelsMax: 40_000_000,
  /** 40 megapixels with transparency: a PNG with twice the depth may have half as many. */
  decodedBytesMax: 160_000_000,
  /** More shows no more of a face or of a document. */
  edgeMax: 4096,
  /** Small print on documents stays legible; above, size grows and nothing is seen. */
  quality: 90,
  measuredEdge: 512,
};

/** A re-encoder with threads of its own, which start with the first image. */
export function createReencoder(options: ReencoderOptions = {}): Reencoder {
  const { threads = 1, waitingBytesMax = 100 * megabyte, timeLimitMs = 10_000, threadFile } = options;
  const workerData = { ...limits, timeLimitMs };
  const lanes = Array.from({ length: threads }, () =>
    createLane({ timeLimitMs, workerData, ...(threadFile && { threadFile }) }),
  );
  const idle = [...lanes];
  const waiting: ((lane: (typeof lanes)[number] | undefined) => void)[] = [];
  let waitingBytes = 0;
  let isClosed = false;

  /** Its turn: the order of arrival. */
  async function lane(bytes: number) {
    const free = idle.pop();
    if (free) return free;
    if (waitingBytes + bytes > waitingBytesMax) throw new ReencoderBusyError('Too many images wait.');
    waitingBytes += bytes;
    const own = await new Promise<(typeof lanes)[number] | undefined>((resolve) => waiting.push(resolve));
    waitingBytes -= bytes;
    return own;
  }

  return {
    async reencode(bytes) {
      const format = formatOf(bytes);
      if (bytes.length > imageBytesMax) return { fault: 'too_large' };
      if (!format) return { fault: 'not_an_image' };
      if (format === 'png' && isAnimatedPng(bytes)) return { fault: 'animated' };
      const own = isClosed ? undefined : await lane(bytes.length);
      if (!own || isClosed) throw closed();
      try {
        // A copy of exactly these bytes, given away: a Buffer is often a view on much more.
        const copy = new Uint8Array(bytes);
        const outcome = await own.run({ bytes: copy, format }, [copy.buffer]);
        if (outcome !== 'lost') return read(outcome.answer);
        if (isClosed) throw closed();
        return { fault: 'unreadable' };
      } finally {
        const next = waiting.shift();
        if (next) next(own);
        else idle.push(own);
      }
    },
    async close() {
      isClosed = true;
      for (const turn of waiting.splice(0)) turn(undefined);
      await Promise.all(lanes.map((one) => one.close()));
    },
  };
}

const closed = () => new Error('The re-encoder is closed.');

/** Buffers come out of a thread as plain arrays of bytes. */
function read(answer: unknown): ReencodedImage | { fault: ReencodeFault } {
  const image = answer as (Omit<ReencodedImage, 'jpeg'> & { jpeg: Uint8Array }) | { fault: ReencodeFault };
  if ('fault' in image) return image;
  const { buffer, byteOffset, byteLength } = image.jpeg;
  return { ...image, jpeg: Buffer.from(buffer, byteOffset, byteLength) };
}
