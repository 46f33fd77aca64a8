import type { Payload } from '@temporalio/common';
import { z } from 'zod';
import { named } from '../http/openapi/schema-of';

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
