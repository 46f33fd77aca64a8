import express from 'express';
import { z } from 'zod';
import { type CaptureKind, captureKinds } from '../../../domain/biometrics/biometrics';
import { chunkBytesMax, uploadBytesMax } from '../../../platform/images/uploads';
import { readJson, receive } from '../../http/body/read-json';
import { Problem } from '../../http/problem';
import type { OpenRoute } from '../../http/route';
import { counter } from '../../http/body/texts';
import { requireOpen } from './opened-link';
import { type LinkCall, onLink } from './serve-link';
import { Admission } from './admission';
import { Pace } from './pace';
import { takeImage, replyAgain } from './take-image';

/** Bodies of chunks in memory: 64 MB at most, and no more of one link than its page sends, with one repeat. */
const bodies = new Admission(64, 2);
/** Chunks are written one by one: several at once would be done no sooner, and keep the database from those who read. */
const writes = new Pace(1);
/** Images that are looked at or wait for it: one link is not to fill the line that all stand in. */
const looks = new Admission(40, 2);

const beginBody = z.strictObject({ size: counter.min(1, 'must be 1 or more') }, 'must be an object');

function kindIn({ request }: LinkCall): CaptureKind {
  const kind = captureKinds.find((one) => one === request.params['kind']);
  if (!kind) throw new Problem('not_found');
  return kind;
}

/** What an upload is for: one that was begun for another link or image is not found. */
const purposeOf = ({ opened }: LinkCall, kind: CaptureKind) => `${opened.link.id}/${kind}`;

const ownerOf = ({ opened: { target } }: LinkCall) => ({ tenant: target.tenant, owner: target.id });

const problemOfBegin = {
  many: () => new Problem('upload_limit_reached'),
  busy: () => new Problem('images_busy'),
  size: () => new Problem('validation_failed', { errors: { size: ['is not possible'] } }),
};

/** POST captures/{kind}: begins an upload of so many bytes. Nothing is taken in before the person consented. */
export const beginUpload = onLink(async (call) => {
  const kind = kindIn(call);
  const { size } = await readJson(beginBody, call.request, call.response);
  requireOpen(call.opened);
  if (!call.opened.link.consentedAt) throw new Problem('consent_missing');
  if (size > uploadBytesMax) throw new Problem('image_rejected', { members: { reason: 'too_large' } });
  const begun = await call.parts.uploads.begin({ ...ownerOf(call), kind: purposeOf(call, kind), size });
  if ('fault' in begun) throw problemOfBegin[begun.fault]();
  return { status: 201, body: { uploadId: begun.id, chunkBytesMax } };
});

const uploadIdOf = ({ request }: LinkCall) => String(request.params['uploadId']);

/** GET captures/{kind}/{uploadId}: how many bytes have arrived. */
export const readUpload = onLink(async (call) => {
  kindIn(call);
  requireOpen(call.opened);
  const found = await call.parts.uploads.offset(uploadIdOf(call), ownerOf(call));
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

/** POST captures/{kind}/{uploadId}: adds a chunk; with the last one, the image is looked at and kept. */
const takeChunk = onLink(async (call) => {
  const kind = kindIn(call);
  // Before a byte is read: who may not send has nothing taken in.
  requireOpen(call.opened);
  const { offset, bytes } = await bodies.during(call.opened.link.id, () => chunkIn(call));
  const { uploads } = call.parts;
  const upload = { uploadId: uploadIdOf(call), purpose: purposeOf(call, kind) };
  const added = await writes.during(() => uploads.append(upload.uploadId, ownerOf(call), offset, bytes));
  if (!added) return { status: 200, body: { received: await replyAgain(call, kind, upload), done: true } };
  const { received } = added;
  if ('fault' in added && added.fault === 'busy') throw new Problem('images_busy');
  if ('fault' in added && added.fault === 'offset') throw new Problem('upload_offset', { members: { received } });
  if ('fault' in added)
    throw new Problem('validation_failed', { errors: { body: ['is no chunk of a size that fits'] } });
  const found = await uploads.offset(upload.uploadId, ownerOf(call));
  const done = found === undefined || found.received === found.size;
  if (done) await looks.during(call.opened.link.id, () => takeImage(call, kind, upload));
  return { status: 200, body: { received, done } };
});

/** As takeChunk, by the intake where there is one. */
export const addChunk: OpenRoute['serve'] = (dependencies, request, response) =>
  dependencies.intake ? dependencies.intake.passOn(request, response) : takeChunk(dependencies, request, response);
