import path from 'node:path';
import type { DataConverter } from '@temporalio/common';
import { type CodecOptions, createPayloadCodec } from './payload-codec';

/** Temporal's SDK loads the failure converter from this file, also into the workflow bundle (the code of all workflows in one file). */
export const failureConverterPath = path.join(__dirname, `failure-converter${path.extname(__filename)}`);

/** How clients and workers convert values to payloads: everything about a transaction is encrypted. */
export const createDataConverter = (options: CodecOptions): DataConverter => ({
  failureConverterPath,
  payloadCodecs: [createPayloadCodec(options)],
});
