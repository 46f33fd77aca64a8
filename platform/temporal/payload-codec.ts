import type { Payload, PayloadCodec } from '@temporalio/common';
import { temporal } from '@temporalio/proto';
import type { DataOwner } from '../keys/data-keys';
import { seal, unseal } from '../keys/seal';
import type { TransactionKeys } from '../keys/transaction-keys';

const { Payload: PayloadMessage } = temporal.api.common.v1;

/** The names in the metadata are those of Temporal's samples, which its tools show. */
const encodingName = 'encoding';
const keyIdName = 'encryption-key-id';
const encryptedEncoding = 'binary/encrypted';

export interface CodecOptions {
  transactionKeys: Pick<TransactionKeys, 'get'>;
  /** The transaction of a workflow id; undefined for other workflows, whose payloads have no personal data. */
  ownerOf: (workflowId: string) => DataOwner | undefined;
  /** False leaves new payloads in clear text, to measure what encryption costs. Encrypted ones can still be read. */
  encrypts: boolean;
}

const utf8 = (bytes: Uint8Array | null | undefined) => Buffer.from(bytes ?? []).toString();

/** The workflow id of an encrypted payload; undefined if the payload is in clear text. */
export function encryptedFor({ metadata }: Payload): string | undefined {
  return utf8(metadata?.[encodingName]) === encryptedEncoding ? utf8(metadata?.[keyIdName]) : undefined;
}

/**
 * Encrypts everything that Temporal stores about a transaction with the data key of the transaction (AES-256-GCM). The workflow id is in
 * the metadata and is authenticated, so a payload that is copied to another transaction cannot be decrypted. `encode` throws an error
 * without a workflow id. `decode` leaves clear text as it is. Both throw DataErasedError after an erasure; `decode` throws BrokenSealError for changed payloads.
 */
export function createPayloadCodec({ transactionKeys, ownerOf, encrypts }: CodecOptions): PayloadCodec {
  async function encrypt(payload: Payload, workflowId: string, owner: DataOwner): Promise<Payload> {
    const key = await transactionKeys.get(owner);
    const bytes = Buffer.from(PayloadMessage.encode(payload).finish());
    return {
      metadata: { [encodingName]: Buffer.from(encryptedEncoding), [keyIdName]: Buffer.from(workflowId) },
      data: seal(key, bytes, ['payload', workflowId]),
    };
  }

  async function decrypt(payload: Payload): Promise<Payload> {
    const workflowId = encryptedFor(payload);
    const owner = workflowId === undefined ? undefined : ownerOf(workflowId);
    if (workflowId === undefined || !owner) return payload;
    const key = await transactionKeys.get(owner);
    return PayloadMessage.decode(unseal(key, Buffer.from(payload.data ?? []), ['payload', workflowId]));
  }

  return {
    async encode(payloads, context) {
      const workflowId = context?.workflowId;
      if (workflowId === undefined) throw new Error('A payload without a workflow id cannot be encrypted.');
      const owner = encrypts ? ownerOf(workflowId) : undefined;
      if (!owner) return payloads;
      return Promise.all(payloads.map((payload) => encrypt(payload, workflowId, owner)));
    },
    async decode(payloads, context) {
      const foreign = payloads.map(encryptedFor).find((id) => id !== undefined && id !== (context?.workflowId ?? id));
      if (foreign !== undefined) throw new Error(`A payload of ${context?.workflowId} belongs to ${foreign}.`);
      return Promise.all(payloads.map(decrypt));
    },
  };
}
