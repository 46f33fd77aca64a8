import { DefaultFailureConverter, type PayloadConverter, type SerializationContext } from '@temporalio/common';

/**
 * Moves messages and stack traces of errors into payloads, so that the codec encrypts them. If the SDK does not say of which workflow
 * an error is, as for a task that cannot be decrypted, only the name of the error is left. The log of the worker has the rest.
 */
class EncryptingFailureConverter extends DefaultFailureConverter {
  override errorToFailure(error: unknown, payloadConverter: PayloadConverter, context?: SerializationContext) {
    if (context?.workflowId !== undefined) return super.errorToFailure(error, payloadConverter, context);
    return { message: error instanceof Error ? error.name : typeof error, source: 'TypeScriptSDK' };
  }
}

/** Temporal imports it by this name. */
export const failureConverter = new EncryptingFailureConverter({ encodeCommonAttributes: true });
