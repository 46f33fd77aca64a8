import path from 'node:path';
import type { DataConverter, Payload, PayloadCodec } from '@temporalio/common';
import { temporal } from '@temporalio/proto';
import { DataErasedError, type DataOwner, type TransactionKeys, UnknownDataError } from '../keys/data-keys';
import { seal, unseal } from '../keys/seal';
import { errorName } from '../logger';
import { describesError } from './failure-converter';

/** Temporal's SDK loads the failure converter from this file, also into the workflow bundle (the code of all workflows in one file). */
export const failureConverterPath = path.join(__dirname, `failure-converter${path.extname(__filename)}`);

/** How clients and workers convert values to payloads: everything about a transaction is encrypted. */
export const createDataConverter = (options: CodecOptions): DataConverter => ({
  failureConverterPath,
  payloadCodecs: [createPayloadCodec(options)],
});

const { Payload: PayloadMessage } = temporal.api.common.v1;

/** The names of fields in the metadata of a payload. Temporal's samples have the same names, so the tools of Temporal show these fields. */
const encodingName = 'encoding';
const keyIdName = 'encryption-key-id';
/** The value of the field `encoding` for encrypted payloads. */
const encryptedEncoding = 'binary/encrypted';

export interface CodecOptions {
  transactionKeys: Pick<TransactionKeys, 'get'>;
  /** The transaction of a workflow id; undefined for other workflows, whose payloads have no personal data. */
  ownerOf: (workflowId: string) => DataOwner | undefined;
  /** Whether to encrypt new payloads. False only to measure the costs of encryption. Encrypted payloads can be read in both cases. */
  encrypts: boolean;
  /** Called when a payload belongs to an erased transaction. */
  onErased?: (workflowId: string) => void;
}

/**
 * If a payload that describes an error cannot be encrypted, this payload replaces it. It says in clear text why the encryption failed, and
 * has no personal data.
 */
const replacementFor = (error: unknown): Payload => ({
  metadata: { [encodingName]: Buffer.from('json/plain') },
  data: Buffer.from(JSON.stringify(`[not encrypted: ${errorName(error)}]`)),
});

const utf8 = (bytes: Uint8Array | null | undefined) => Buffer.from(bytes ?? []).toString();

/** The workflow id of an encrypted payload; undefined if the payload is in clear text. */
export function workflowIdOfEncrypted({ metadata }: Payload): string | undefined {
  return utf8(metadata?.[encodingName]) === encryptedEncoding ? utf8(metadata?.[keyIdName]) : undefined;
}

/**
 * Encrypts everything that Temporal stores about a transaction, with the data key of the transaction (AES-256-GCM). The workflow id is in
 * the metadata, and is authenticated. So nobody can decrypt a payload that was copied to another transaction. Without a workflow id,
 * `encode` throws an error. `decode` returns clear text unchanged, and throws BrokenSealError for changed payloads. If the data key was
 * erased, both throw DataErasedError. If it cannot be read, both throw the error of the database. There is one exception: if a payload describes an error and cannot be encrypted,
 * `encode` replaces the payload and does not throw.
 */
export function createPayloadCodec({ transactionKeys, ownerOf, encrypts, onErased }: CodecOptions): PayloadCodec {
  async function findKey(workflowId: string, owner: DataOwner): Promise<Buffer> {
    return transactionKeys.get(owner).catch((error: unknown) => {
      if (error instanceof DataErasedError && !(error instanceof UnknownDataError)) onErased?.(workflowId);
      throw error;
    });
  }

  async function encrypt(payload: Payload, workflowId: string, owner: DataOwner): Promise<Payload> {
    const key = await findKey(workflowId, owner);
    const bytes = Buffer.from(PayloadMessage.encode(payload).finish());
    return {
      metadata: { [encodingName]: Buffer.from(encryptedEncoding), [keyIdName]: Buffer.from(workflowId) },
      data: seal(key, bytes, ['payload', workflowId]),
    };
  }

  async function decrypt(payload: Payload): Promise<Payload> {
    const workflowId = workflowIdOfEncrypted(payload);
    const owner = workflowId === undefined ? undefined : ownerOf(workflowId);
    if (workflowId === undefined || !owner) return payload;
    const key = await findKey(workflowId, owner);
    return PayloadMessage.decode(unseal(key, Buffer.from(payload.data ?? []), ['payload', workflowId]));
  }

  return {
    async encode(payloads, context) {
      const workflowId = context?.workflowId;
      if (workflowId === undefined) throw new Error('A payload without a workflow id cannot be encrypted.');
      const owner = encrypts ? ownerOf(workflowId) : undefined;
      if (!owner) return payloads;
      return Promise.all(
        payloads.map((payload) =>
          encrypt(payload, workflowId, owner).catch((error: unknown) => {
            // The SDK encodes this payload to report a failed task. If the encoding failed too, the SDK would stop the worker.
            if (describesError(payload)) return replacementFor(error);
            throw error;
          }),
        ),
      );
    },
    async decode(payloads, context) {
      const foreign = payloads
        .map(workflowIdOfEncrypted)
        .find((id) => id !== undefined && id !== (context?.workflowId ?? id));
      if (foreign !== undefined) throw new Error(`A payload of ${context?.workflowId} belongs to ${foreign}.`);
      return Promise.all(payloads.map(decrypt));
    },
  };
}
