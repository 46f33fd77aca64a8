import { z } from 'zod';
import type { Biometrics, Capture, CaptureKind } from '../../../domain/biometrics/biometrics';
import { rejectionReason } from '../../../domain/biometrics/quality';
import { type ReencodedImage, type ReencodeError } from '../../../platform/images/reencode-image';
import { ImageErasedError } from '../../../platform/images/sealed-images';
import { errorName } from '../../../platform/postgres';
import { Problem } from '../../http/problem';
import { linkClosedProblem } from './hosted-link';
import { type LinkCall, sendPageAction } from './serve-link';

/** An upload of one image. It is finished, or chunks are still arriving. */
export interface UploadReference {
  uploadId: string;
  /** The link and the capture that the upload was started for, as `<link id>/<kind of the capture>`. */
  purpose: string;
}

const dayMs = 86_400_000;

/**
 * The actor in the audit log, if an image is erased for one of two reasons: the person took a newer image, or the transaction rejected the
 * image.
 */
const actor = 'person';

/** The transaction to which the upload and the image belong. */
const ownerOf = ({ hostedLink }: LinkCall) => ({
  tenant: hostedLink.target.tenant,
  owner: hostedLink.target.id,
});

/** The problem for an upload that cannot be reencoded. `gone`: the upload does not exist any more. */
function problemOf(error: ReencodeError): Problem {
  if (error === 'gone') return new Problem('upload_not_found');
  return new Problem('image_rejected', { members: { reason: error === 'animated' ? 'not_an_image' : error } });
}

/** Takes the bytes out of a finished upload, and makes a new JPEG of them. */
function reencodeUpload(call: LinkCall, { uploadId, purpose }: UploadReference) {
  const { uploads, reencoder } = call.dependencies;
  return reencoder.reencode(async () => {
    const storedUpload = await uploads.take(uploadId, ownerOf(call));
    return storedUpload && 'bytes' in storedUpload && storedUpload.purpose === purpose ? storedUpload.bytes : undefined;
  });
}

/** Saves the image until its retention time ends. Throws link_closed if the images of the transaction were erased. */
async function saveImage(call: LinkCall, kind: CaptureKind, { jpeg }: ReencodedImage): Promise<string> {
  const deleteAfter = new Date(Date.now() + call.hostedLink.link.imageDays * dayMs);
  try {
    return (await call.dependencies.images.save({ ...ownerOf(call), kind, jpeg, deleteAfter })).id;
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

/** Erases an image that no capture needs. Never rejects. */
async function discardImage(call: LinkCall, id: string): Promise<void> {
  const { images, logger } = call.dependencies;
  await images.eraseImage({ ...ownerOf(call), id, actor }).catch((error: unknown) => {
    logger.warn(
      { transactionId: call.hostedLink.target.id, failure: errorName(error) },
      'an image could not be erased now; it will be erased after its retention time',
    );
  });
}

/** A capture without the two fields that the transaction adds: the time of the capture, and the id of the image that is replaced. */
type NewCapture = Omit<Capture, 'at' | 'replaces'>;

/**
 * Sends a saved image to the transaction. If the transaction accepts the new image, discards the image that the new image replaces. If the
 * transaction rejects the new image, discards the new image.
 */
async function sendCapture(call: LinkCall, kind: CaptureKind, capture: NewCapture): Promise<void> {
  try {
    const link = await sendPageAction(call, { action: 'capture', kind, capture });
    const replacedId = link.captures[kind]?.replaces;
    if (replacedId) await discardImage(call, replacedId);
  } catch (error) {
    // After service_unavailable, the image is kept: the transaction may still accept it, and a retry of the last chunk sends it again.
    if (error instanceof Problem && error.code !== 'service_unavailable') await discardImage(call, capture.imageId);
    throw error;
  }
}

/**
 * Reencodes the image of an upload, checks and saves it, and sends it to the transaction. Throws image_rejected,
 * upload_not_found, link_closed and capture_limit_reached.
 */
export async function processImage(call: LinkCall, kind: CaptureKind, upload: UploadReference): Promise<void> {
  const image = await reencodeUpload(call, upload);
  if ('error' in image) throw problemOf(image.error);
  const reason = rejectionReason(image);
  if (reason) throw new Problem('image_rejected', { members: { reason } });
  const imageId = await saveImage(call, kind, image);
  const { width, height, sharpness, brightness } = image;
  const capture: NewCapture = { imageId, width, height, sharpness, brightness };
  await call.dependencies.uploads.saveResult(upload.uploadId, ownerOf(call), capture);
  await sendCapture(call, kind, capture);
}

/** The form of a NewCapture that is saved as the result of an upload. */
const captureSchema = z.strictObject({
  imageId: z.string(),
  width: z.number(),
  height: z.number(),
  sharpness: z.number(),
  brightness: z.number(),
});

/**
 * Sends the image of a finished upload to the transaction again, because the first request may have failed. Returns the size of the upload
 * in bytes. Throws upload_not_found.
 */
export async function resendCapture(
  call: LinkCall,
  kind: CaptureKind,
  { uploadId, purpose }: UploadReference,
): Promise<number> {
  const { uploads } = call.dependencies;
  const [finishedUpload, progress] = await Promise.all([
    uploads.readResult(uploadId, ownerOf(call)),
    uploads.readProgress(uploadId, ownerOf(call)),
  ]);
  if (!finishedUpload || !progress || finishedUpload.purpose !== purpose) throw new Problem('upload_not_found');
  await sendCapture(call, kind, captureSchema.parse(finishedUpload.result));
  return progress.size;
}
