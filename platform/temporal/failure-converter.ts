import { DefaultFailureConverter } from '@temporalio/common';

/** Moves messages and stack traces of errors into payloads, so that the codec encrypts them. Temporal imports it by this name. */
export const failureConverter = new DefaultFailureConverter({ encodeCommonAttributes: true });
