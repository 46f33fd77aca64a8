import express from 'express';
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { type CaptureKind, captureKinds } from '../../domain/biometrics/biometrics';
import { FairQueue, Shares } from '../../platform/fair-queue';
import { chunkBytesMax, uploadBytesMax } from '../../images/uploads';
import { readJson, runBodyParser } from '../http/body/read-json';
import { Problem } from '../http/problem';
import { wholeNumber } from '../http/body/fields';
import { imageOwnerOf, type LinkCall, linkPath, requireOpen, serveLink } from './hosted-link';
import { processUpload } from './process-image';
import { type UndocumentedRoute, undocumentedRoute } from '../http/route';

/** Maximum number of chunks of one link at the same time. A page sends one chunk at a time, and perhaps one retry. */
const chunksPerLinkMax = 2;

/** Maximum number of chunks of one tenant that arrive at the same time. It limits memory: each chunk has at most 1 MB. */
const arrivingPerTenantMax = 100;

/**
 * Maximum number of chunks of one tenant that are processed at the same time. One image takes about half a second, so 40 images are ready
 * in 20 s. The page waits for at most 60 s.
 */
const processedPerTenantMax = 40;

/**
 * How long a chunk waits while another request of its transaction takes an upload or saves an image. Each is one short database
 * transaction. Together with the wait for a result, this is less than the 60 s of the page.
 */
const ownerWaitMs = 10_000;

/** How often the chunk tries again. It holds no connection and no place in `writes` between two tries. */
const ownerPollMs = 100;

const chunks = new Shares();

/** Writes one chunk at a time. If the others waited for a database connection instead, they would fail after 1 s, and delay other requests. */
const writes = new FairQueue({ slots: 1 });

/** Runs `work` for a chunk. Throws images_busy at once if the subject has `max` chunks already. */
async function withinShare<Result>(subject: string, max: number, work: () => Promise<Result>): Promise<Result> {
  const release = chunks.take([{ subject, max }]);
  if (!release) throw new Problem('images_busy');
  try {
    return await work();
  } finally {
    release();
  }
}

const startBody = z.strictObject({ size: wholeNumber.min(1, 'must be 1 or more') }, 'must be an object');

/** The kind of the image in the path, such as `selfie`. Throws not_found for an unknown kind. */
function requireKind({ request }: LinkCall): CaptureKind {
  const kind = captureKinds.find((one) => one === request.params['kind']);
  if (!kind) throw new Problem('not_found');
  return kind;
}

/** Returns the purpose of an upload. Its image is saved only for the link and the capture that the upload was started for. */
const purposeOf = ({ hostedLink }: LinkCall, kind: CaptureKind) => `${hostedLink.link.id}/${kind}`;

/** The problem for each error of `uploads.start`. */
const startProblems = {
  many: () => new Problem('upload_limit_reached'),
  busy: () => new Problem('images_busy'),
  size: () => new Problem('validation_failed', { errors: { size: ['must not exceed the maximum size of an upload'] } }),
};

/** POST …/captures/{kind}: starts an upload. Throws consent_missing before the person has given consent. */
export const startUpload = serveLink(async (call) => {
  const kind = requireKind(call);
  const { size } = await readJson(startBody, call.request, call.response);
  requireOpen(call.hostedLink);
  if (!call.hostedLink.link.consentedAt) throw new Problem('consent_missing');
  if (size > uploadBytesMax) throw new Problem('image_rejected', { members: { reason: 'too_large' } });
  const startResult = await call.dependencies.uploads.start({
    ...imageOwnerOf(call),
    purpose: purposeOf(call, kind),
    size,
  });
  if ('error' in startResult) throw startProblems[startResult.error]();
  return { status: 201, body: { uploadId: startResult.id, chunkBytesMax } };
});

/** The problem for each error of `uploads.append`. */
const chunkProblems = {
  busy: () => new Problem('images_busy'),
  offset: (received: number) => new Problem('upload_offset', { members: { received } }),
  size: () =>
    new Problem('validation_failed', {
      errors: {
        body: ['must not go beyond the size of the upload; every chunk except the last must have at least 16 KiB'],
      },
    }),
};

const uploadIdOf = ({ request }: LinkCall) => String(request.params['uploadId']);

/** GET …/captures/{kind}/{uploadId}: how many bytes of the upload the service has received. */
export const readUpload = serveLink(async (call) => {
  requireKind(call);
  requireOpen(call.hostedLink);
  const progress = await call.dependencies.uploads.find(uploadIdOf(call), imageOwnerOf(call));
  if (!progress) throw new Problem('upload_not_found');
  return { status: 200, body: { received: progress.received } };
});

const parseChunk = express.raw({ type: 'application/octet-stream', limit: chunkBytesMax, inflate: false });

/** The chunk in the body, and its offset in the upload, from the header Upload-Offset. */
async function readChunk({ request, response }: LinkCall): Promise<{ offset: number; bytes: Buffer }> {
  if (!request.is('application/octet-stream')) throw new Problem('unsupported_media_type');
  const offsetHeader = request.get('upload-offset') ?? '';
  if (!/^\d{1,9}$/.test(offsetHeader))
    throw new Problem('validation_failed', { errors: { 'Upload-Offset': ['must be a whole number of bytes'] } });
  const bytes = await runBodyParser(parseChunk, request, response);
  return { offset: Number(offsetHeader), bytes: Buffer.isBuffer(bytes) ? bytes : Buffer.alloc(0) };
}

/** Adds a chunk to its upload. Like `uploads.append`, but waits for another request of the same transaction. */
async function appendChunk(call: LinkCall, id: string, { offset, bytes }: { offset: number; bytes: Buffer }) {
  const endMs = performance.now() + ownerWaitMs;
  for (;;) {
    const result = await writes.run(() => call.dependencies.uploads.append(id, imageOwnerOf(call), offset, bytes));
    const isBusy = result !== undefined && 'error' in result && result.error === 'busy';
    if (!isBusy || performance.now() > endMs) return result;
    await pause(ownerPollMs);
  }
}

/** Adds a chunk to its upload. After the last chunk, processes the image. `received`: the bytes of the upload so far. */
async function processChunk(
  call: LinkCall,
  kind: CaptureKind,
  chunk: { offset: number; bytes: Buffer },
): Promise<{ received: number; done: boolean }> {
  const { uploads } = call.dependencies;
  const upload = { uploadId: uploadIdOf(call), purpose: purposeOf(call, kind) };
  const appendResult = await appendChunk(call, upload.uploadId, chunk);
  if (appendResult && 'error' in appendResult) throw chunkProblems[appendResult.error](appendResult.received);
  const progress = await uploads.find(upload.uploadId, imageOwnerOf(call));
  if (!progress) throw new Problem('upload_not_found');
  // Without a result of `append`, the upload is not open: the page repeats its last chunk, because it got no answer.
  const received = appendResult?.received ?? progress.received;
  const done = progress.received === progress.size;
  if (done) await processUpload(call, kind, { ...upload, isOpen: appendResult !== undefined });
  return { received, done };
}

/**
 * POST …/captures/{kind}/{uploadId}: adds a chunk. After the last chunk, checks and saves the image. While the body arrives, the request
 * uses nothing that other tenants need.
 */
export const addChunk = serveLink(async (call) => {
  const kind = requireKind(call);
  // This check comes before the body is read, so that only the owner of the link can use memory.
  requireOpen(call.hostedLink);
  const { link, target } = call.hostedLink;
  const body = await withinShare(`link ${link.id}`, chunksPerLinkMax, async () => {
    const chunk = await withinShare(`arriving ${target.tenant}`, arrivingPerTenantMax, () => readChunk(call));
    return withinShare(`processed ${target.tenant}`, processedPerTenantMax, () => processChunk(call, kind, chunk));
  });
  return { status: 200, body };
});

/** The uploads of the hosted page. */
export const uploadRoutes: readonly UndocumentedRoute[] = [
  undocumentedRoute('post', `${linkPath}/captures/{kind}`, startUpload),
  undocumentedRoute('get', `${linkPath}/captures/{kind}/{uploadId}`, readUpload),
  undocumentedRoute('post', `${linkPath}/captures/{kind}/{uploadId}`, addChunk),
];
