import express, { type Request, type Response } from 'express';
import { type RawHandler, type UndocumentedRoute, undocumentedRoute } from '../http/route';
import { hashDestination } from '../../messages/codes';
import {
  type InboundEvent,
  saveInboundMessage,
  saveProviderEvent,
  type StatusEvent,
} from '../../store/messages/provider-events.sql';
import { type Keyword, replyLengthMax } from '../../domain/confirmation/replies';
import { Problem } from '../http/problem';
import { validateRequest } from 'twilio';
import { isForm, runBodyParser } from '../http/body/read-json';
import type { Dependencies } from '../dependencies';
import { signedFieldErrors } from './signed-fields';
import type { Channel } from '../../domain/confirmation/settings';

/** POST /webhooks/twilio/status/{sendId}: the delivery status of a message. */
export const receiveStatus: RawHandler = async (dependencies, request, response) => {
  const form = await readTwilioForm(dependencies, request, response, statusFields);
  const { MessageSid: providerId, MessageStatus: status, ErrorCode: code } = form;
  requireSid(providerId);
  const sendId = removeUnstorable(String(request.params['sendId']));
  const event: StatusEvent = {
    kind: 'status',
    sendId,
    providerId,
    status,
    ...(codePattern.test(code ?? '') ? { code } : {}),
  };
  await saveProviderEvent(dependencies.pool, dependencies.dayKeys, `${providerId}:${status}`, event);
  dependencies.processProviderEvents();
  response.status(204).end();
};

/** POST /webhooks/twilio/inbound: a person has sent a text or pressed a button. */
export const receiveInbound: RawHandler = async (dependencies, request, response) => {
  const form = await readTwilioForm(dependencies, request, response, inboundFields);
  const {
    MessageSid: providerId,
    From: from,
    Body: text,
    ButtonPayload: button,
    OptOutType: optOutType,
    OriginalRepliedMessageSid: repliedTo,
  } = form;
  requireSid(providerId);
  const { channel, number } = parseTwilioAddress(from);
  const sender = hashDestination(dependencies.keys, number);
  const keyword = optOutKeywords.get(optOutType ?? '');
  const event: InboundEvent = {
    kind: 'inbound',
    channel,
    senders: [sender],
    // A longer text matches no option, so the text is not saved.
    text: text.length > replyLengthMax ? '' : text,
    ...(button ? { button } : {}),
    ...(repliedTo ? { repliedTo } : {}),
    ...(keyword ? { keyword } : {}),
  };
  await saveInboundMessage(dependencies.pool, dependencies.dayKeys, providerId, event, sender);
  dependencies.processProviderEvents();
  // With an empty response, the provider sends no message to the person.
  response.type('text/xml').send('<?xml version="1.0" encoding="UTF-8"?><Response/>');
};

/** The form of the id of a message at Twilio (its SID). */
const sidPattern = /^(?:SM|MM)[0-9a-f]{32}$/i;

/** Error codes reach histories and logs, so they must be numbers. */
const codePattern = /^\d{1,9}$/;

/** Throws validation_failed if a text is not the id of a message at Twilio. */
function requireSid(providerId: string): void {
  if (!sidPattern.test(providerId))
    throw new Problem('validation_failed', { errors: { MessageSid: ['must be the id of a message'] } });
}

const statusFields = { required: ['MessageSid', 'MessageStatus'], optional: ['ErrorCode'] } as const;

const inboundFields = {
  // A message without text has an empty Body.
  required: ['MessageSid', 'From', 'Body'],
  optional: ['ButtonPayload', 'OptOutType', 'OriginalRepliedMessageSid'],
} as const;

/** Twilio names the keyword in a text, if its own handling of opt-outs is on. These words may be different from ours. */
const optOutKeywords: ReadonlyMap<string, Keyword> = new Map([
  ['STOP', 'optOut'],
  ['START', 'optIn'],
  ['HELP', 'help'],
]);

/** The limits of a form. A form of the provider has about 30 short fields, and the provider adds new fields without notice. */
const parseForm = express.urlencoded({ type: isForm, extended: false, limit: 65_536, parameterLimit: 200 });

/** Removes NUL and halves of surrogate pairs, which Postgres cannot store. */
export function removeUnstorable(text: string): string {
  return text.replaceAll('\u0000', '').replace(/\p{Surrogate}/gu, '');
}

/**
 * Returns the required and optional fields of a request with a valid signature. Ignores other fields. The signature is checked with
 * PUBLIC_URL. The Host header is not used, because the sender can choose it and a proxy may change it. Throws invalid_signature and
 * validation_failed.
 */
export async function readTwilioForm<Required extends string, Optional extends string>(
  dependencies: Dependencies,
  request: Request,
  response: Response,
  { required, optional }: { required: readonly Required[]; optional: readonly Optional[] },
): Promise<Record<Required, string> & Partial<Record<Optional, string>>> {
  if (!isForm(request)) throw new Problem('unsupported_media_type');
  const form = (await runBodyParser(parseForm, request, response)) as Record<string, unknown>;
  const signature = request.get('x-twilio-signature') ?? '';
  const url = `${dependencies.config.PUBLIC_URL}${request.originalUrl}`;
  if (!validateRequest(dependencies.config.TWILIO_AUTH_TOKEN, signature, url, form))
    throw new Problem('invalid_signature');
  const errors = signedFieldErrors(form, required, optional);
  if (Object.keys(errors).length > 0) throw new Problem('validation_failed', { errors });
  const names = [...required, ...optional].filter((name) => form[name] !== undefined);
  return Object.fromEntries(names.map((name) => [name, removeUnstorable(String(form[name]))])) as Awaited<
    ReturnType<typeof readTwilioForm<Required, Optional>>
  >;
}

/**
 * Reads an address of Twilio, such as `whatsapp:+5511987654321`. Each channel except SMS has its own prefix, and Twilio adds channels
 * without notice. RCS is an upgrade of SMS: the service sends an SMS, and Twilio delivers it as RCS if the phone can receive RCS. So an
 * answer over RCS, or over a channel that the service does not know, belongs to an SMS.
 */
export function parseTwilioAddress(address: string): { channel: Channel; number: string } {
  const [, prefix, number = ''] = /^(?:([a-z][\w-]*):)?(.*)$/is.exec(address) ?? [];
  return { channel: prefix?.toLowerCase() === 'whatsapp' ? 'whatsapp' : 'sms', number: number.trim() };
}

/** Requests of providers. They have a signature instead of an access token. */
export const providerRoutes: readonly UndocumentedRoute[] = [
  undocumentedRoute('post', '/webhooks/twilio/status/{sendId}', receiveStatus, 'rejected'),
  undocumentedRoute('post', '/webhooks/twilio/inbound', receiveInbound, 'rejected'),
];
