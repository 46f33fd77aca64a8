import type { WorkerConfig } from '../../platform/config';
import type { Logger } from '../../platform/logger';
import type { FaceDependencies } from './verify-faces';
import { createHttpFaceVerifier } from './http-face-verifier';

/** The face verifier that the settings name, or none: reviewers then decide by what they see. */
export function openFaceVerifier(
  config: Pick<WorkerConfig, 'FACE_VERIFIER_URL' | 'FACE_VERIFIER_TOKEN' | 'FACE_VERIFIER_TIMEOUT_MS'>,
  logger: Logger,
): Pick<FaceDependencies, 'faceVerifier'> {
  const { FACE_VERIFIER_URL: url, FACE_VERIFIER_TOKEN: token, FACE_VERIFIER_TIMEOUT_MS: timeoutMs } = config;
  if (!url) {
    logger.info('no face verifier is configured; reviewers decide without its findings');
    return {};
  }
  return { faceVerifier: createHttpFaceVerifier({ url, timeoutMs, ...(token ? { token } : {}) }) };
}
