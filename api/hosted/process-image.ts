import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import type { Biometrics, Capture, CaptureKind } from '../../domain/biometrics/biometrics';
import { rejectionReason } from '../../domain/biometrics/capture';
import type { ReencodedImage, ReencodeError } from '../../images/reencode-image';
import { ImageErasedError } from '../../images/sealed-images';
import { errorName } from '../../platform/logger';
import { Problem } from '../http/problem';
import { imageOwnerOf, type LinkCall, linkClosedProblem, requireLink, sendPageAction } from './hosted-link';
import type { ProblemCode } from '../http/problems';

/** An upload of one image. It is finished, or chunks are still arriving. */
export interface UploadReference {
  uploadId: string;
  /** The link and the capture that the upload was started for, as `<link id>/<kind of the capture>`. */
  purpose: string;
}

const dayMs = 86_400_000;

/** How long a repeat of the last chunk waits for the result. The page waits 60 s, and an image is decoded within 20 s. */
const resultWaitMs = 25_000;
/** How often a repeat looks for the result. An image takes about half a second. */
const resultPollMs = 500;

/**
 * The actor in the audit log, if an image is erased for one of two reasons: the person took a newer image, or the transaction rejected the
 * image.
 */
const actor = 'person';

/** A capture without the two fields that the transaction adds: the time of the capture, and the id of the image that is replaced. */
type NewCapture = Omit<Capture, 'at' | 'replaces'>;

/** The result of an upload: its capture, or the reason why its image was rejected. It is saved, and every repeat gets the same result. */
type UploadResult = NewCapture | { rejected: string };

const resultSchema: z.ZodType<UploadResult> = z.union([
  z.strictObject({ rejected: z.string() }),
  z.strictObject({
    imageId: z.string(),
    width: z.number(),
    height: z.number(),
    sharpness: z.number(),
    brightness: z.number(),
  }),
]);

/** Saves the image until its retention time ends. Throws link_closed if the images of the transaction were erased. */
async function saveImage(call: LinkCall, kind: CaptureKind, { jpeg }: ReencodedImage): Promise<string> {
  const deleteAfter = new Date(Date.now() + call.hostedLink.link.imageDays * dayMs);
  try {
    return (
      await call.dependencies.images.save({
        ...imageOwnerOf(call),
        linkId: call.hostedLink.link.id,
        kind,
        jpeg,
        deleteAfter,
      })
    ).id;
  } catch (error) {
    if (error instanceof ImageErasedError) {
      const erasedLink: Biometrics = {
        ...call.hostedLink.link,
        status: 'Canceled',
        erasedAt: new Date().toISOString(),
      };
      throw linkClosedProblem({ ...call.hostedLink, link: erasedLink });
    }
    throw error;
  }
}

/** The problems after which the transaction never accepts the image. After all others, it may accept a repeat of the last chunk. */
const finalProblems: readonly ProblemCode[] = ['capture_limit_reached', 'link_closed'];

/** Erases an image that no capture needs. Never rejects. */
async function discardImage(call: LinkCall, id: string): Promise<void> {
  const { images, logger } = call.dependencies;
  await images.eraseImage({ ...imageOwnerOf(call), id, actor }).catch((error: unknown) => {
    logger.warn(
      { transactionId: call.hostedLink.target.id, failure: errorName(error) },
      'an image could not be erased now; it will be erased after its retention time',
    );
  });
}

/**
 * Discards an image after a final problem, except if the link has it: the problem may be the answer to a repeat, and the transaction has
 * accepted the image before. Never rejects. If it is not known whether the link has the image, the image is erased after its retention time.
 */
async function discardUnlessCaptured(call: LinkCall, kind: CaptureKind, imageId: string): Promise<void> {
  const link = await requireLink(call).then(
    (found) => found.link,
    () => undefined,
  );
  if (link && link.captures[kind]?.imageId !== imageId) await discardImage(call, imageId);
}

/**
 * Sends a saved image to the transaction. If the transaction accepts the new image, discards the image that the new image replaces. If the
 * transaction rejects the new image for good, discards the new image.
 */
async function sendCapture(call: LinkCall, kind: CaptureKind, capture: NewCapture): Promise<void> {
  try {
    const link = await sendPageAction(call, { action: 'capture', kind, capture });
    const replacedId = link.captures[kind]?.replaces;
    if (replacedId) await discardImage(call, replacedId);
  } catch (error) {
    if (error instanceof Problem && finalProblems.includes(error.code))
      await discardUnlessCaptured(call, kind, capture.imageId);
    throw error;
  }
}

/** Checks and saves a reencoded image. Returns the result of its upload. Throws link_closed. */
async function createResult(
  call: LinkCall,
  kind: CaptureKind,
  image: ReencodedImage | { error: ReencodeError },
): Promise<UploadResult> {
  if ('error' in image) return { rejected: image.error === 'animated' ? 'not_an_image' : image.error };
  const reason = rejectionReason(image);
  if (reason) return { rejected: reason };
  const imageId = await saveImage(call, kind, image);
  const { width, height, sharpness, brightness } = image;
  return { imageId, width, height, sharpness, brightness };
}

/** Takes a complete upload, reencodes its image, and saves the result. Returns undefined if the upload has a result, or another request works on it. */
async function finishUpload(
  call: LinkCall,
  kind: CaptureKind,
  { uploadId, purpose }: UploadReference,
): Promise<UploadResult | undefined> {
  const { uploads, reencoder } = call.dependencies;
  let isTaken = false;
  try {
    const image = await reencoder.reencode(async () => {
      const upload = await uploads.take(uploadId, imageOwnerOf(call));
      isTaken = upload !== undefined && 'bytes' in upload;
      return upload && 'bytes' in upload && upload.purpose === purpose ? upload.bytes : undefined;
    });
    if ('error' in image && image.error === 'gone') return undefined;
    const result = await createResult(call, kind, image);
    await uploads.finish(uploadId, imageOwnerOf(call), result);
    return result;
  } catch (error) {
    // A repeat of the last chunk then starts again. If this fails too, the upload is open again after a minute.
    if (isTaken) await uploads.release(uploadId, imageOwnerOf(call)).catch(() => undefined);
    throw error;
  }
}

/**
 * Waits for the result of an upload on which another request works. That request may be in another process. Throws upload_not_found, also
 * if the image was discarded meanwhile, so that the transaction never gets an image that is erased. Throws images_busy if there is no result
 * in time, or if the other request has failed; a repeat then starts again.
 */
async function waitForResult(call: LinkCall, { uploadId, purpose }: UploadReference): Promise<UploadResult> {
  const endMs = performance.now() + resultWaitMs;
  const { uploads, images } = call.dependencies;
  for (;;) {
    const upload = await uploads.find(uploadId, imageOwnerOf(call));
    if (!upload || upload.purpose !== purpose) throw new Problem('upload_not_found');
    if (upload.result !== null) {
      const result = resultSchema.parse(upload.result);
      if ('rejected' in result || (await images.has({ ...imageOwnerOf(call), id: result.imageId }))) return result;
      throw new Problem('upload_not_found');
    }
    if (!upload.isTaken || performance.now() > endMs) throw new Problem('images_busy');
    await pause(resultPollMs);
  }
}

/**
 * Ends a complete upload: reencodes its image, checks and saves it, and sends it to the transaction. Does each step once, even if the last
 * chunk is repeated, at the same time or later: a repeat gets the answer of the first request. `isOpen`: whether the upload may be open. Throws image_rejected, upload_not_found,
 * images_busy, link_closed and capture_limit_reached.
 */
export async function processUpload(
  call: LinkCall,
  kind: CaptureKind,
  { isOpen, ...upload }: UploadReference & { isOpen: boolean },
): Promise<void> {
  const result = (isOpen ? await finishUpload(call, kind, upload) : undefined) ?? (await waitForResult(call, upload));
  if ('rejected' in result) throw new Problem('image_rejected', { members: { reason: result.rejected } });
  await sendCapture(call, kind, result);
}
