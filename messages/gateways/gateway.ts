import { z } from 'zod';
import { refusals } from '../../domain/providers/refusal';

/** How to send messages by an HTTP API: see docs/gateways.md. */
export type Gateway = z.infer<typeof gatewaySchema>;
export type GatewayRequest = z.infer<typeof requestSchema>;

/** What the texts of a request may contain, between `{{` and `}}`, beside the values of the provider in MESSAGING. */
export const messageValues = [
  /** The phone in E.164, such as +5511987654321, and without its plus sign. */
  'to',
  'toDigits',
  'sender',
  'text',
  /** `text` if the text of an SMS has only characters of the GSM alphabet, else `unicode`. */
  'textType',
  /** An id of the message that is the same for each attempt to send it. */
  'messageId',
  /** The time until the message expires, at least a minute. */
  'secondsLeft',
  'millisecondsLeft',
  /** Where the gateway reports the status of this message. */
  'statusUrl',
] as const;

export type MessageValue = (typeof messageValues)[number];

/** A JSON pointer (RFC 6901) into an answer of the gateway, such as /messages/0/status. */
const pointer = z.string().regex(/^(?:\/(?:[^~/]|~[01])*)*$/, 'must be a JSON pointer such as /messages/0/id');

const texts = z.record(z.string().min(1), z.string());

const requestSchema = z.strictObject({
  method: z.enum(['GET', 'POST', 'PUT']),
  url: z.string().min(1),
  headers: texts.default({}),
  /** The body: JSON, or a form. Settings and requests are JSON, so every value is. */
  json: z.unknown().optional(),
  form: texts.optional(),
});

export const gatewaySchema = z.strictObject({
  /** The channel on which the gateway sends. */
  channel: z.literal('sms'),
  /** The values that MESSAGING gives to the gateway, such as `apiKey`, each with its default. `null`: it is required. */
  values: z.record(z.string().regex(/^[a-zA-Z][a-zA-Z0-9]*$/), z.string().nullable()),
  send: z.strictObject({
    request: requestSchema,
    /** Where an answer has the id of an accepted message. */
    id: pointer,
    /** Where an answer with a status of 200 to 299 says whether the message is accepted. Absent: it is accepted. */
    result: z
      .strictObject({
        at: pointer,
        /** The values that mean that it is accepted. */
        accepted: z.array(z.string()).min(1),
        /** What other values mean. `unknown`: the gateway may have the message. A value that is not listed means `ProviderRefused`. */
        refusals: z.record(z.string(), z.enum([...refusals, 'unknown'])).default({}),
      })
      .optional(),
    /** Where an answer has the error code of the gateway, for logs. */
    code: pointer.optional(),
    /** What a status of an answer means. Default: 401, 402, 403, 404: `accountRefused`, 429: `notSent`, other 4xx: `ProviderRefused`. */
    statuses: z.record(z.string().regex(/^4\d\d$/), z.enum(refusals)).default({}),
    /** Whether the gateway recognizes a repeated message by `{{messageId}}`, and sends it only once. */
    recognizesRepeats: z.boolean().default(false),
  }),
  /** How to find a message whose outcome is unknown. Absent: the gateway cannot be asked. */
  find: z
    .strictObject({
      request: requestSchema,
      /** Where an answer has the list of messages, and where each of them has its id. */
      list: pointer,
      id: pointer,
    })
    .optional(),
  /** How to read the reports that the gateway sends to `{{statusUrl}}`. Absent: it sends none. */
  report: z
    .strictObject({
      /** Where a report has the list of messages. Absent: it is about one message. */
      list: pointer.optional(),
      id: pointer,
      status: pointer,
      code: pointer.optional(),
      meanings: z.record(z.string(), z.enum(['accepted', 'sent', 'delivered', 'failed'])),
    })
    .optional(),
});
