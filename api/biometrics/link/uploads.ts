import express from 'express';
import pLimit from 'p-limit';
import { z } from 'zod';
import { type CaptureKind, captureKinds } from '../../../domain/biometrics/biometrics';
import { chunkBytesMax, uploadBytesMax } from '../../../platform/images/uploads';
import { readJson, receive } from '../../http/body/read-json';
import { Problem } from '../../http/problem';
import { counter } from '../../http/body/texts';
import { requireOpen } from './opened-link';
import { type LinkCall, onLink } from './serve-link';
import { takeImage, resendCapture } from './take-image';

/**
 * Chunks in work at the same time. It limits memory (1 MB each) and the queue of images: at about half a second each, the last
 * of 40 is done within the 60 s timeout of the page.
 */
const chunksMax = 40;
/** A page sends one chunk at a time, and perhaps one retry. */
const chunksPerLinkMax = 2;

/** Writes wait here, not for a connection, which has a timeout of 1 s. So the pool stays free for other image requests. */
const writes = pLimit(1);

/** The link of each chunk in work. */
const inWork: string[] = [];

/** Runs the work of a chunk. Throws images_busy at once if too many are in work. */
async function withinLimit<Result>(linkId: string, work: () => Promise<Result>): Promise<Result> {
  const ofLink = inWork.filter((id) => id === linkId).length;
  if (inWork.length >= chunksMax || ofLink >= chunksPerLinkMax) throw new Problem('images_busy');
  inWork.push(linkId);
  try {
    return await work();
  } finally {
    inWork.splice(inWork.indexOf(linkId), 1);
  }
}

const startBody = z.strictObject({ size: counter.min(1, 'must be 1 or more') }, 'must be an object');

function kindIn({ request }: LinkCall): CaptureKind {
  const kind = captureKinds.find((one) => one === request.params['kind']);
  if (!kind) throw new Problem('not_found');
  return kind;
}

/** Uploads of another link or capture are not found. */
const purposeOf = ({ opened }: LinkCall, kind: CaptureKind) => `${opened.link.id}/${kind}`;

const ownerOf = ({ opened: { target } }: LinkCall) => ({ tenant: target.tenant, owner: target.id });

const startProblems = {
  many: () => new Problem('upload_limit_reached'),
  busy: () => new Problem('images_busy'),
  size: () => new Problem('validation_failed', { errors: { size: ['must fit the limit of an upload'] } }),
};

/** POST …/captures/{kind}: starts an upload. Throws consent_missing before the person has given consent. */
export const startUpload = onLink(async (call) => {
  const kind = kindIn(call);
  const { size } = await readJson(startBody, call.request, call.response);
  requireOpen(call.opened);
  if (!call.opened.link.consentedAt) throw new Problem('consent_missing');
  if (size > uploadBytesMax) throw new Problem('image_rejected', { members: { reason: 'too_large' } });
  const started = await call.dependencies.uploads.start({ ...ownerOf(call), kind: purposeOf(call, kind), size });
  if ('error' in started) throw startProblems[started.error]();
  return { status: 201, body: { uploadId: started.id, chunkBytesMax } };
});

const chunkProblems = {
  busy: () => new Problem('images_busy'),
  offset: (received: number) => new Problem('upload_offset', { members: { received } }),
  size: () =>
    new Problem('validation_failed', { errors: { body: ['must not be empty or exceed the size of the upload'] } }),
};

const uploadIdOf = ({ request }: LinkCall) => String(request.params['uploadId']);

/** GET …/captures/{kind}/{uploadId}: the received bytes. */
export const readUpload = onLink(async (call) => {
  kindIn(call);
  requireOpen(call.opened);
  const found = await call.dependencies.uploads.offset(uploadIdOf(call), ownerOf(call));
  if (!found) throw new Problem('upload_not_found');
  return { status: 200, body: { received: found.received } };
});

const chunk = express.raw({ type: 'application/octet-stream', limit: chunkBytesMax, inflate: false });

async function chunkIn({ request, response }: LinkCall): Promise<{ offset: number; bytes: Buffer }> {
  if (!request.is('application/octet-stream')) throw new Problem('unsupported_media_type');
  const given = request.get('upload-offset') ?? '';
  if (!/^\d{1,9}$/.test(given))
    throw new Problem('validation_failed', { errors: { 'Upload-Offset': ['must be a whole number of bytes'] } });
  const bytes = await receive(chunk, request, response);
  return { offset: Number(given), bytes: Buffer.isBuffer(bytes) ? bytes : Buffer.alloc(0) };
}

async function takeChunk(call: LinkCall, kind: CaptureKind): Promise<{ received: number; done: boolean }> {
  const { uploads } = call.dependencies;
  const { offset, bytes } = await chunkIn(call);
  const upload = { uploadId: uploadIdOf(call), purpose: purposeOf(call, kind) };
  const added = await writes(() => uploads.append(upload.uploadId, ownerOf(call), offset, bytes));
  if (!added) return { received: await resendCapture(call, kind, upload), done: true };
  if ('error' in added) throw chunkProblems[added.error](added.received);
  const { received } = added;
  const found = await uploads.offset(upload.uploadId, ownerOf(call));
  const done = found === undefined || found.received === found.size;
  if (done) await takeImage(call, kind, upload);
  return { received, done };
}

/** POST …/captures/{kind}/{uploadId}: adds a chunk. The last one checks and saves the image. */
export const addChunk = onLink(async (call) => {
  const kind = kindIn(call);
  // Before a byte is read, so that only the owner's browser can use memory.
  requireOpen(call.opened);
  return { status: 200, body: await withinLimit(call.opened.link.id, () => takeChunk(call, kind)) };
});
