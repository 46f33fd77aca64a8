import { z } from 'zod';
import type { FaceFindings } from '../../domain/biometrics/biometrics';
import type { WorkerConfig } from '../../platform/config';
import type { Logger } from '../../platform/logger';
import {
  type UnavailableReason,
  type FacePair,
  type FaceVerifier,
  FaceVerifierError,
  type RejectionReason,
} from './face-verifier';
import { deadline } from '../deadline';
import { readWithLimit } from '../read-with-limit';

/** Maximum size of a response. Four numbers and twenty notes take 2 KB. The rest is for fields that we ignore. */
const bytesMax = 64 * 1024;
/** Maximum number of notes: a reviewer would not read more. A response with more notes is invalid. */
const notesMax = 20;

const ratioSchema = z.number().min(0).max(1).exactOptional();
const countSchema = z.int().min(0).exactOptional();

const responseSchema = z.object({
  similarity: ratioSchema,
  liveness: ratioSchema,
  selfieFaces: countSchema,
  documentFaces: countSchema,
  /** Each note is a code and no free text, because the notes are stored with the transaction and shown to reviewers. */
  notes: z
    .array(z.string().regex(/^[A-Za-z0-9_.:-]{1,60}$/))
    .max(notesMax)
    .default([]),
});

/** The names of the form's parts and files are always the same, so they carry no personal data. */
function formOf({ selfie, documentFront }: FacePair): FormData {
  const form = new FormData();
  for (const [part, jpeg] of Object.entries({ selfie, documentFront }))
    form.set(part, new Blob([jpeg], { type: 'image/jpeg' }), `${part}.jpg`);
  return form;
}

/** Why a response with this HTTP status has no findings. Undefined for 200. */
function failureReasonOf(status: number): UnavailableReason | RejectionReason | undefined {
  if (status === 200) return undefined;
  if (status === 429) return 'busy';
  if (status >= 500) return 'failing';
  if (status >= 400) return 'refused';
  return status >= 300 ? 'redirect' : 'invalid';
}

function parseFindings(body: Buffer): FaceFindings | 'invalid' {
  try {
    return responseSchema.parse(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body)));
  } catch {
    return 'invalid';
  }
}

/**
 * A face verifier over HTTP: POST of multipart/form-data with the JPEGs `selfie` and `documentFront`. Expects 200 and
 * {similarity?, liveness?, selfieFaces?, documentFaces?, notes?}. `timeoutMs` limits the whole request, including the
 * last byte of the response. Makes one request and never retries.
 */
export function createHttpFaceVerifier(settings: { url: string; token?: string; timeoutMs: number }): FaceVerifier {
  const { url, token, timeoutMs } = settings;
  const requestFindings = async (images: FacePair): Promise<FaceFindings | UnavailableReason | RejectionReason> => {
    const signal = deadline(timeoutMs);
    try {
      const response = await fetch(url, {
        method: 'POST',
        // Redirects are not followed: images of faces go only to the address in the settings.
        redirect: 'manual',
        headers: token ? { authorization: `Bearer ${token}` } : {},
        body: formOf(images),
        signal,
      });
      const reason = failureReasonOf(response.status);
      if (reason) {
        await response.body?.cancel();
        return reason;
      }
      const body = await readWithLimit(response.body, bytesMax);
      return body ? parseFindings(body) : 'size';
    } catch {
      return signal.aborted ? 'timeout' : 'unreachable';
    }
  };
  return {
    verify: async (images) => {
      const result = await requestFindings(images);
      if (typeof result === 'string') throw new FaceVerifierError(result);
      return result;
    },
  };
}

/** Creates the face verifier that the settings define. Without a face verifier, reviewers decide alone. */
export function openFaceVerifier(
  config: Pick<WorkerConfig, 'FACE_VERIFIER_URL' | 'FACE_VERIFIER_TOKEN' | 'FACE_VERIFIER_TIMEOUT_MS'>,
  logger: Logger,
): { faceVerifier?: FaceVerifier } {
  const { FACE_VERIFIER_URL: url, FACE_VERIFIER_TOKEN: token, FACE_VERIFIER_TIMEOUT_MS: timeoutMs } = config;
  if (!url) {
    logger.info('no face verifier is configured; reviewers decide without its findings');
    return {};
  }
  return { faceVerifier: createHttpFaceVerifier({ url, timeoutMs, ...(token ? { token } : {}) }) };
}
