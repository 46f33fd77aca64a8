import { defaultPayloadConverter, type Payload } from '@temporalio/common';
import { addAuditEntry, payloadsDecoded } from '../../platform/audit';
import { DataErasedError, DataKeyMissingError, type DataOwner } from '../../platform/keys/data-keys';
import { BrokenSealError } from '../../platform/keys/seal';
import { workflowIdOfEncrypted } from '../../platform/temporal/data-converter';
import { asService } from '../../platform/postgres/tenant-scope';
import { dataOwnerOf } from '../../workflows/contract/ids';
import type { Needs } from '../dependencies';
import { type ApiRoute, type Handler, withBody } from '../http/route';
import { z } from 'zod';
import { exampleOf, named } from '../http/openapi/schema-of';
import { decodePath, decodeScope, findOperator } from './session';

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
async function decodePayload({ payloadCodec }: Needs<'payloadCodec'>, payload: JsonPayload): Promise<DecodedPayload> {
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
export const decodePayloads: Handler<'payloadCodec' | 'pool', { payloads?: JsonPayload[] | undefined }> = (call) =>
  asService(() => decodeAll(call.dependencies, call.clientId, call.body.payloads ?? []));

async function decodeAll(
  dependencies: Needs<'payloadCodec' | 'pool'>,
  clientId: string,
  payloads: readonly JsonPayload[],
) {
  const decoded = await Promise.all(payloads.map((payload) => decodePayload(dependencies, payload)));
  for (const { owner, payloads: count } of countByOwner(decoded)) {
    const entry = { ...owner, actor: clientId, action: payloadsDecoded, detail: { count } };
    await addAuditEntry(dependencies.pool, entry);
  }
  return { status: 200, body: { payloads: decoded.map(({ payload }) => payload) } };
}

/** A history page of the Temporal UI has at most 1,000 events. Most events have one payload. */
export const payloadsMax = 1_000;

/**
 * The limits of a request body. A message of Temporal has at most 4 MiB, which are 5.4 MiB in base64. An encrypted payload counts as five
 * fields: the item of the list, `metadata`, its two entries, and `data`. `fields` is enough for four times `payloadsMax`. So if a list is
 * too long, the error is usually about the length of the list, and not about the number of fields.
 */
export const codecBodyLimits = { bytes: 6 * 1024 * 1024, fields: 20 * payloadsMax };

const jsonPayload = named(
  'Payload',
  z
    .looseObject({
      metadata: z.record(z.string(), z.string()).optional(),
      data: z.string().optional().meta({ description: 'base64' }),
    })
    .meta({ description: 'A payload of Temporal in the JSON format of Protobuf' }),
);

/** The response of Temporal's remote codec protocol. `payloads` is optional, because Protobuf leaves out an empty list. */
export const payloadsResponse = named(
  'Payloads',
  z.strictObject({ payloads: z.array(jsonPayload).max(payloadsMax).optional() }),
  {
    // The JSON text "hello", which is not encrypted.
    payloads: [{ metadata: { encoding: 'anNvbi9wbGFpbg==' }, data: 'ImhlbGxvIg==' }],
  },
);

export const payloadsBody = payloadsResponse.default({});

/** A payload in JSON: all bytes are in base64. */
export type JsonPayload = z.infer<typeof jsonPayload>;

const toBytes = (base64: string) => Buffer.from(base64, 'base64');

const toBase64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');

/** Converts the JSON form of a payload to a payload. Fields that the service does not know are left out. */
export function fromJson({ metadata = {}, data = '' }: JsonPayload): Payload {
  const entries = Object.entries(metadata).map(([name, value]) => [name, toBytes(value)] as const);
  return { metadata: Object.fromEntries(entries), data: toBytes(data) };
}

/** The JSON form of a payload. */
export function toJson({ metadata, data }: Payload): JsonPayload {
  const entries = Object.entries(metadata ?? {}).map(([name, value]) => [name, toBase64(value)] as const);
  return { metadata: Object.fromEntries(entries), ...(data ? { data: toBase64(data) } : {}) };
}

/** The codec server of the Temporal UI and the Temporal CLI; for operators only, not in SPEC. */
export const decodeRoutes: readonly ApiRoute[] = [
  withBody({
    operationId: 'decodePayloads',
    method: 'post',
    path: decodePath,
    scope: decodeScope,
    summary: 'Decrypt payloads of all tenants for the Temporal UI; only for operators',
    body: () => payloadsBody,
    example: exampleOf(payloadsResponse),
    bodyLimits: codecBodyLimits,
    responses: { 200: payloadsResponse },
    allowedOrigin: ({ TEMPORAL_UI_URL }) => TEMPORAL_UI_URL,
    findCaller: findOperator,
    limit: 'operator',
    ignoresQuery: true,
    handler: decodePayloads,
  }),
];
