import { formatOf, isAnimatedPng } from './image-format';
import { createLane, type Lane } from './reencode-lane';

/**
 * Why an image is not taken. `not_an_image`: neither JPEG nor PNG by its content. `unreadable`: broken, or it took too
 * long. `gone`: there was nothing to load any more when its turn had come.
 */
export type ReencodeError = 'unreadable' | 'too_large' | 'not_an_image' | 'animated' | 'gone';

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
   * Gives the image anew, or why it is not taken. `load` is called when its turn has come, so that no image waits in
   * memory; the Buffer that it gives is given away, and empty afterwards. Throws ReencoderBusyError when too many wait
   * already, what `load` throws, and Error when images cannot be worked on here at all: none says anything of the image.
   */
  reencode(load: () => Promise<Buffer | undefined>): Promise<ReencodedImage | { fault: ReencodeError }>;
  /** Ends the threads. What waits or is worked on fails. */
  close(): Promise<void>;
}

/** Too many images wait: try again later. */
export class ReencoderBusyError extends Error {
  override name = 'ReencoderBusyError';
}

export interface ReencoderOptions {
  /** Images worked on at once. Default 1: the largest takes up to 300 MB while it is decoded. */
  threads?: number;
  /** Images that may wait for their turn. Default 40: at some half a second each, the last waits as long as a page does. */
  waitingMax?: number;
  /** For one image. Default 10 s: the largest photographs take 2 s on one slow core. */
  timeLimitMs?: number;
  /** The program of the threads, for tests of what is done about one that fails. */
  threadFile?: string;
}

/** Twice what a telephone's photograph takes. */
const imageBytesMax = 10 * 1024 * 1024;

const limits = {
  /** The photographs of today's telephones in their usual settings have 12 to 25. */
  pixelsMax: 40_000_000,
  /** The widest panoramas of telephones; 16,384 by 2,441 pixels take 160 MB while they are decoded. */
  decodedEdgeMax: 16_384,
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
  const { threads = 1, waitingMax = 40, timeLimitMs = 10_000, threadFile } = options;
  const workerData = { ...limits, timeLimitMs };
  const lanes = Array.from({ length: threads }, () =>
    createLane({ timeLimitMs, workerData, ...(threadFile && { threadFile }) }),
  );
  const idle = [...lanes];
  const waiting: ((lane: Lane | undefined) => void)[] = [];
  let isClosed = false;

  /** Its turn: the order of arrival. */
  async function turn(): Promise<Lane> {
    if (isClosed) throw closed();
    const free = idle.pop();
    if (free) return free;
    if (waiting.length >= waitingMax) throw new ReencoderBusyError('Too many images wait.');
    const lane = await new Promise<Lane | undefined>((resolve) => waiting.push(resolve));
    if (!lane || isClosed) throw closed();
    return lane;
  }

  async function work(lane: Lane, bytes: Buffer): Promise<ReencodedImage | { fault: ReencodeError }> {
    const format = formatOf(bytes);
    if (bytes.length > imageBytesMax) return { fault: 'too_large' };
    if (!format) return { fault: 'not_an_image' };
    if (format === 'png' && isAnimatedPng(bytes)) return { fault: 'animated' };
    const own = ownMemory(bytes);
    const outcome = await lane.run({ bytes: own, format }, [own.buffer]);
    if (isClosed) throw closed();
    return outcome === 'lost' ? { fault: 'unreadable' } : read(outcome.answer);
  }

  return {
    async reencode(load) {
      const lane = await turn();
      try {
        const bytes = await load();
        if (isClosed) throw closed();
        return bytes ? await work(lane, bytes) : { fault: 'gone' };
      } finally {
        const next = waiting.shift();
        if (next) next(lane);
        else idle.push(lane);
      }
    },
    async close() {
      isClosed = true;
      for (const next of waiting.splice(0)) next(undefined);
      await Promise.all(lanes.map((one) => one.close()));
    },
  };
}

/** The bytes in memory that holds nothing else and can be given to a thread: a Buffer is often a view on much more. */
function ownMemory(bytes: Buffer): Uint8Array<ArrayBuffer> {
  const { buffer, byteOffset, byteLength } = bytes;
  const isWhole = buffer instanceof ArrayBuffer && byteLength === buffer.byteLength;
  return isWhole ? new Uint8Array(buffer, byteOffset, byteLength) : new Uint8Array(bytes);
}

const closed = () => new Error('The re-encoder is closed.');

/** Buffers come out of a thread as plain arrays of bytes. */
function read(answer: unknown): ReencodedImage | { fault: ReencodeError } {
  const image = answer as (Omit<ReencodedImage, 'jpeg'> & { jpeg: Uint8Array }) | { fault: ReencodeError };
  if ('fault' in image) return image;
  const { buffer, byteOffset, byteLength } = image.jpeg;
  return { ...image, jpeg: Buffer.from(buffer, byteOffset, byteLength) };
}
