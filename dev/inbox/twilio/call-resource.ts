import { z } from 'zod';
import { type Message, newSid } from '../message';
import { checkRecipient } from './check-recipient';
import { toRfc2822 } from './message-resource';
import { pageResource } from './page-resource';
import { apiVersion } from './status-fields';
import { TwilioProblem } from './twilio-problem';

const oneOrMore = z.union([z.string().transform((one) => [one]), z.array(z.string())]).default(['completed']);
const url = z.url({ protocol: /^https?$/ });

const formSchema = z.object({
  To: z.string(),
  From: z.string().regex(/^\+[1-9]\d{6,14}$/),
  Url: url,
  StatusCallback: url.optional(),
  StatusCallbackEvent: oneOrMore,
  MachineDetection: z.enum(['Enable', 'DetectMessageEnd']).optional(),
  Timeout: z.coerce.number().int().min(5).max(600).default(60),
  TimeLimit: z.coerce.number().int().min(1).max(14_400).optional(),
});

/** The error code for each field that is missing or invalid. */
const fieldCodes: Readonly<Record<string, number>> = { To: 21_201, From: 21_212, Url: 21_205 };

/** Reads a call from the form of a create request. Throws TwilioProblem. */
export function readCallRequest(body: unknown): Message {
  const parsed = formSchema.safeParse(body ?? {});
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const field = String(issue?.path[0]);
    throw new TwilioProblem(400, fieldCodes[field] ?? 20_001, `${field}: ${issue?.message}`);
  }
  const { To: to, From: from, Url: twimlUrl, StatusCallback: statusCallback } = parsed.data;
  checkRecipient(to, 'voice');
  const now = new Date().toISOString();
  return {
    id: newSid('CA'),
    channel: 'voice',
    direction: 'outbound',
    to,
    from,
    text: '',
    status: 'queued',
    createdAt: now,
    updatedAt: now,
    call: { url: twimlUrl, events: parsed.data.StatusCallbackEvent, ringSeconds: parsed.data.Timeout },
    ...(statusCallback === undefined ? {} : { statusCallback }),
  };
}

/** A call in the format of the provider, with its documented fields. */
export function toCallResource(message: Message, accountSid: string) {
  const isOver = ['completed', 'busy', 'no-answer'].includes(message.status);
  const startedAt = message.call?.answeredBy === undefined ? null : toRfc2822(message.createdAt);
  return {
    account_sid: accountSid,
    answered_by: message.call?.answeredBy ?? null,
    api_version: apiVersion,
    caller_name: null,
    date_created: toRfc2822(message.createdAt),
    date_updated: toRfc2822(message.updatedAt),
    direction: 'outbound-api',
    duration: isOver ? '10' : null,
    end_time: isOver ? toRfc2822(message.updatedAt) : null,
    forwarded_from: null,
    from: message.from,
    from_formatted: message.from,
    group_sid: null,
    parent_call_sid: null,
    phone_number_sid: null,
    price: null,
    price_unit: 'USD',
    queue_time: '0',
    sid: message.id,
    start_time: startedAt,
    // The REST API has no status for a call before it rings.
    status: message.status === 'initiated' ? 'queued' : message.status,
    subresource_uris: {},
    to: message.to,
    to_formatted: message.to,
    trunk_sid: null,
    uri: `/${apiVersion}/Accounts/${accountSid}/Calls/${message.id}.json`,
  };
}

const filterNames = ['To', 'From'];

/** A page of the calls, newest first. */
export function listCalls(messages: Message[], query: Record<string, unknown>, accountSid: string) {
  const numberOf = (value: unknown) => (typeof value === 'string' ? value.replace(/^ /, '+') : undefined);
  const [to, from] = [numberOf(query['To']), numberOf(query['From'])];
  const calls = messages.filter(
    (message) => message.call && (to ?? message.to) === message.to && (from ?? message.from) === message.from,
  );
  const { items, ...page } = pageResource(
    calls,
    query,
    filterNames,
    `/${apiVersion}/Accounts/${accountSid}/Calls.json`,
  );
  return { ...page, calls: items.map((call) => toCallResource(call, accountSid)) };
}
