import { z } from 'zod';
import type { FaceFindings } from '../../domain/biometrics/biometrics';
import {
  type UnavailableReason,
  type FacePair,
  type FaceVerifier,
  FaceVerifierError,
  type RejectionReason,
} from './face-verifier';
import { deadline } from '../deadline';
import { readCapped } from '../read-capped';

/** Four numbers and twenty codes take 2 KB; the rest is for fields that are not read. */
const bytesMax = 64 * 1024;
/** More than a reviewer reads. */
const notesMax = 20;

const share = z.number().min(0).max(1).exactOptional();
const count = z.int().min(0).exactOptional();

const answer = z.object({
  similarity: share,
  liveness: share,
  selfieFaces: count,
  documentFaces: count,
  /** Codes, never text: they are kept for as long as the transaction and shown to reviewers. */
  notes: z
    .array(z.string().regex(/^[A-Za-z0-9_.:-]{1,60}$/))
    .max(notesMax)
    .default([]),
});

/** Names of parts and files are the same for everybody. */
function formOf({ selfie, documentFront }: FacePair): FormData {
  const form = new FormData();
  for (const [part, jpeg] of Object.entries({ selfie, documentFront }))
    form.set(part, new Blob([jpeg], { type: 'image/jpeg' }), `${part}.jpg`);
  return form;
}

function reasonOf(status: number): UnavailableReason | RejectionReason | undefined {
  if (status === 200) return undefined;
  if (status === 429) return 'busy';
  if (status >= 500) return 'failing';
  if (status >= 400) return 'refused';
  return status >= 300 ? 'redirect' : 'form';
}

function findingsIn(body: Buffer): FaceFindings | 'form' {
  try {
    return answer.parse(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body)));
  } catch {
    return 'form';
  }
}

/**
 * A face verifier behind one address: POST of multipart/form-data with the JPEGs `selfie` and `documentFront`, answered
 * by 200 and {similarity?, liveness?, selfieFaces?, documentFaces?, notes?}. `timeoutMs` is for the whole exchange, the
 * last byte of the answer included. It is asked once: whoever calls decides whether to ask again.
 */
export function createHttpFaceVerifier(settings: { url: string; token?: string; timeoutMs: number }): FaceVerifier {
  const { url, token, timeoutMs } = settings;
  const ask = async (images: FacePair): Promise<FaceFindings | UnavailableReason | RejectionReason> => {
    const signal = deadline(timeoutMs);
    try {
      const response = await fetch(url, {
        method: 'POST',
        // Faces go where the operator said, and to nobody whom that place names.
        redirect: 'manual',
        headers: token ? { authorization: `Bearer ${token}` } : {},
        body: formOf(images),
        signal,
      });
      const fault = reasonOf(response.status);
      if (fault) {
        await response.body?.cancel();
        return fault;
      }
      const body = await readCapped(response.body, bytesMax);
      return body ? findingsIn(body) : 'size';
    } catch {
      return signal.aborted ? 'timeout' : 'unreachable';
    }
  };
  return {
    verify: async (images) => {
      const found = await ask(images);
      if (typeof found === 'string') throw new FaceVerifierError(found);
      return found;
    },
  };
}
