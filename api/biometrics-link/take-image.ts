import type { Biometrics, CaptureKind } from '../../domain/biometrics/biometrics';
import { refusedCapture } from '../../domain/biometrics/quality';
import { type ReencodedImage, type ReencodeFault, ReencoderBusyError } from '../../platform/images/reencode-image';
import { ImageErasedError } from '../../platform/images/sealed-images';
import { Problem } from '../problem';
import { type LinkCall, takeStep } from './serve-link';

const dayMs = 86_400_000;

/** In whose name images are discarded that the person has taken again, or that no link would have. */
const actor = 'person';

function problemOfFault(fault: ReencodeFault): Problem {
  if (fault === 'gone') return new Problem('upload_not_found');
  return new Problem('image_rejected', { members: { reason: fault === 'animated' ? 'not_an_image' : fault } });
}

async function reencoded({ parts, opened }: LinkCall, upload: { uploadId: string; purpose: string }) {
  const { tenant, id: owner } = opened.target;
  const load = async () => {
    const taken = await parts.uploads.take(upload.uploadId, { tenant, owner });
    return taken && 'bytes' in taken && taken.kind === upload.purpose ? taken.bytes : undefined;
  };
  try {
    return await parts.reencoder.reencode(load);
  } catch (error) {
    throw error instanceof ReencoderBusyError ? new Problem('images_busy') : error;
  }
}

async function keep({ parts, opened }: LinkCall, kind: CaptureKind, { jpeg }: ReencodedImage): Promise<string> {
  const { tenant, id: owner } = opened.target;
  const deleteAfter = new Date(Date.now() + parts.biometrics(tenant).imageDays * dayMs);
  try {
    return (await parts.images.keep({ tenant, owner, kind, jpeg, deleteAfter })).id;
  } catch (error) {
    if (error instanceof ImageErasedError) throw new Problem('link_closed', { members: { linkStatus: 'Canceled' } });
    throw error;
  }
}

/**
 * Makes the image anew, keeps it, and tells the transaction; the one that it takes the place of is discarded. An image
 * that the transaction does not take is not kept. Throws image_rejected, images_busy, upload_not_found, link_closed.
 */
export async function takeImage(
  call: LinkCall,
  kind: CaptureKind,
  upload: { uploadId: string; purpose: string },
): Promise<Biometrics> {
  const { parts, opened } = call;
  const { tenant, id: owner } = opened.target;
  const image = await reencoded(call, upload);
  if ('fault' in image) throw problemOfFault(image.fault);
  const reason = refusedCapture(image);
  if (reason) throw new Problem('image_rejected', { members: { reason } });
  const imageId = await keep(call, kind, image);
  const discard = (id: string) =>
    parts.images.discard({ tenant, owner, id, actor }).catch((error: unknown) => {
      parts.logger.warn(
        { transactionId: owner, failure: (error as Error).name },
        'an image could not be discarded yet',
      );
    });
  const { width, height, sharpness, brightness } = image;
  try {
    const link = await takeStep(call, {
      step: 'capture',
      kind,
      capture: { imageId, width, height, sharpness, brightness },
    });
    const before = opened.link.captures[kind]?.imageId;
    if (before) await discard(before);
    return link;
  } catch (error) {
    // Without an answer the transaction may still take the image: it is left to the end of its days.
    if (error instanceof Problem && error.code !== 'service_unavailable') await discard(imageId);
    throw error;
  }
}
