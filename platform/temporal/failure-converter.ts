import {
  DefaultFailureConverter,
  type Payload,
  type PayloadConverter,
  type SerializationContext,
} from '@temporalio/common';

/** The name of a field in the metadata of a payload. It marks payloads that describe an error. */
const errorMark = 'countersign-error';

/** Whether a payload describes an error: it has the message, the stack trace or the details. It is not an input or a result. */
export const describesError = ({ metadata }: Payload): boolean => metadata?.[errorMark] !== undefined;

const markAsError = (payload: Payload): void => {
  payload.metadata = { ...payload.metadata, [errorMark]: new Uint8Array([1]) };
};

/**
 * Moves messages and stack traces of errors into payloads, so that the codec encrypts them. The codec needs the workflow id. For some
 * errors, such as a task that cannot be decrypted, the SDK does not pass this id. For such an error, this class keeps only the name of the
 * error.
 */
class EncryptingFailureConverter extends DefaultFailureConverter {
  override errorToFailure(error: unknown, payloadConverter: PayloadConverter, context?: SerializationContext) {
    if (context?.workflowId !== undefined) {
      const failure = super.errorToFailure(error, payloadConverter, context);
      // The causes are converted by this method too.
      if (failure.encodedAttributes) markAsError(failure.encodedAttributes);
      failure.applicationFailureInfo?.details?.payloads?.forEach(markAsError);
      return failure;
    }
    return { message: error instanceof Error ? error.name : typeof error, source: 'TypeScriptSDK' };
  }
}

/** Temporal imports the converter by this name. */
export const failureConverter = new EncryptingFailureConverter({ encodeCommonAttributes: true });
