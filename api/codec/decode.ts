import { defaultPayloadConverter } from '@temporalio/common';
import { addAuditEntry, payloadsDecoded } from '../../platform/audit';
import type { DataOwner } from '../../platform/keys/data-keys';
import { BrokenSealError } from '../../platform/keys/seal';
import { DataErasedError, DataKeyMissingError } from '../../platform/keys/data-keys';
import { workflowIdOfEncrypted } from '../../platform/temporal/data-converter';
import { asService } from '../../platform/postgres/tenant-scope';
import { dataOwnerOf } from '../../workflows/contract';
import type { Dependencies } from '../dependencies';
import type { Handler } from '../http/route';
import { fromJson, type JsonPayload, toJson } from './payloads';

/** What operators see instead of a payload that cannot be read. */
const [erasedText, brokenText, keyMissingText] = ['[erased]', '[cannot be decrypted]', '[data key missing]'];

/** The text for a payload that cannot be decrypted. Undefined for errors of another kind. */
function replacementFor(error: unknown): string | undefined {
  if (error instanceof DataErasedError) return erasedText;
  if (error instanceof DataKeyMissingError) return keyMissingText;
  return error instanceof BrokenSealError ? brokenText : undefined;
}

/** A payload after `decodePayload`. */
interface DecodedPayload {
  payload: JsonPayload;
  /** The transaction whose data was decrypted. */
  owner?: DataOwner;
}

/** Decrypts a payload of a transaction. Other payloads stay as they are: they are not encrypted, or another program encrypted them. */
async function decodePayload({ payloadCodec }: Dependencies, payload: JsonPayload): Promise<DecodedPayload> {
  const encrypted = fromJson(payload);
  const workflowId = workflowIdOfEncrypted(encrypted);
  const owner = workflowId === undefined ? undefined : dataOwnerOf(workflowId);
  if (!owner) return { payload };
  try {
    const [decrypted = {}] = await payloadCodec.decode([encrypted]);
    return { payload: toJson(decrypted), owner };
  } catch (error) {
    const text = replacementFor(error);
    if (text === undefined) throw error;
    return { payload: toJson(defaultPayloadConverter.toPayload(text)) };
  }
}

/** Counts the decrypted payloads of each transaction, for the audit log. */
function countByOwner(decoded: readonly DecodedPayload[]): { owner: DataOwner; payloads: number }[] {
  const counts = new Map<string, { owner: DataOwner; payloads: number }>();
  for (const { owner } of decoded) {
    if (!owner) continue;
    const key = JSON.stringify([owner.tenant, owner.owner]);
    counts.set(key, { owner, payloads: (counts.get(key)?.payloads ?? 0) + 1 });
  }
  return [...counts.values()];
}

/** POST /v1/codec/decode: Temporal's remote codec protocol, for all tenants. The audit log is written before anything is returned. */
export const decodePayloads: Handler<{ payloads?: JsonPayload[] | undefined }> = (call) =>
  asService(() => decodeAll(call.dependencies, call.clientId, call.body.payloads ?? []));

async function decodeAll(dependencies: Dependencies, clientId: string, payloads: readonly JsonPayload[]) {
  const decoded = await Promise.all(payloads.map((payload) => decodePayload(dependencies, payload)));
  for (const { owner, payloads: count } of countByOwner(decoded)) {
    const entry = { ...owner, actor: clientId, action: payloadsDecoded, detail: { count } };
    await addAuditEntry(dependencies.pool, entry);
  }
  return { status: 200, body: { payloads: decoded.map(({ payload }) => payload) } };
}
