import express, { type Request, type Response } from 'express';
import { type RawHandler, undocumentedRoute, type UndocumentedRoute } from '../http/route';
import { hashDestination } from '../../messages/codes';
import { type InboundEvent, saveInboundMessage } from '../../store/messages/provider-events.sql';
import { type Keyword, replyLengthMax } from '../../domain/confirmations/replies';
import { Problem } from '../http/problem';
import { validateRequest } from 'twilio';
import { isForm, runBodyParser } from '../http/body/read-json';
import type { Needs } from '../dependencies';
import type { Channel } from '../../domain/confirmations/settings';
import { ownProviderId } from '../../domain/providers/route';
import type { Messaging } from '../../messages/messaging';
import { asTenant, tenantName } from '../../platform/postgres/tenant-scope';
import { findSend } from '../../store/messages/sends/send-states.sql';

/** POST /webhooks/twilio/status/{sendId}: the delivery status of a message. */
export const receiveStatus: RawHandler<'config' | 'ownProvidersOf' | 'pool' | 'providerEvents' | 'providers'> = async (
  dependencies,
  request,
  response,
) => {
  const sendId = removeUnstorable(String(request.params['sendId']));
  // The account of a tenant names its tenant, and may report only about messages of this tenant.
  const { data: tenant } = tenantName.safeParse(new URLSearchParams(request.url.split('?')[1]).get('tenant'));
  const isOwn = tenant !== undefined;
  const providers = isOwn ? await findOwnProviders(dependencies, tenant, sendId) : dependencies.providers;
  const form = await readTwilioForm({ ...dependencies, providers }, request, response, statusFields);
  const { MessageSid: sid, MessageStatus: status, ErrorCode: code } = form;
  requireSid(sid);
  const providerId = isOwn ? ownProviderId(tenant, sid) : sid;
  await dependencies.providerEvents.takeStatus({
    kind: 'status',
    sendId,
    providerId,
    status,
    ...(codePattern.test(code ?? '') ? { code } : {}),
  });
  response.status(204).end();
};

/** The providers of a tenant, if the send is one of its messages. */
async function findOwnProviders(
  { ownProvidersOf, pool }: Needs<'ownProvidersOf' | 'pool'>,
  tenant: string,
  sendId: string,
): Promise<Messaging['providers']> {
  const send = await asTenant(tenant, () => findSend(pool, sendId));
  return send ? ownProvidersOf(tenant) : {};
}

/** POST /webhooks/twilio/inbound: a person has sent a text or pressed a button. */
export const receiveInbound: RawHandler<
  'config' | 'dayKeys' | 'keys' | 'pool' | 'providerEvents' | 'providers'
> = async (dependencies, request, response) => {
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
  dependencies.providerEvents.runNow();
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
 * Returns the required and optional fields of a request with a valid signature of one of the accounts. Ignores other fields. The signature is checked with
 * PUBLIC_URL. The Host header is not used, because the sender can choose it and a proxy may change it. Throws invalid_signature and
 * validation_failed.
 */
export async function readTwilioForm<Required extends string, Optional extends string>(
  dependencies: Needs<'config' | 'providers'>,
  request: Request,
  response: Response,
  { required, optional }: { required: readonly Required[]; optional: readonly Optional[] },
): Promise<Record<Required, string> & Partial<Record<Optional, string>>> {
  if (!isForm(request)) throw new Problem('unsupported_media_type');
  const form = (await runBodyParser(parseForm, request, response)) as Record<string, unknown>;
  const signature = request.get('x-twilio-signature') ?? '';
  const { config, providers } = dependencies;
  const url = `${config.PUBLIC_URL}${request.originalUrl}`;
  const isSigned = Object.values(providers).some(
    (one) => one.kind === 'twilio' && validateRequest(one.authToken, signature, url, form),
  );
  if (!isSigned) throw new Problem('invalid_signature');
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

/**
 * The rules for the fields of a signed form of Twilio. The signature covers the names and values of all fields, sorted by name, without
 * separators: `Body=Sim` and `BodyS=im` have the same signature. A person can write names of fields into a text, and whoever captures the
 * signed request can divide its text into other fields. These rules pin the sender and the ids to the places where Twilio wrote them.
 */

/** A field, and where it begins in the signed text. */
interface Field {
  name: string;
  value: string;
  start: number;
}

/** The names of the sender and of an id, and all fields of Twilio whose names contain them. */
const pinnedNames: readonly (readonly [name: string, names: readonly string[]])[] = [
  ['From', ['From', 'FromCity', 'FromCountry', 'FromState', 'FromZip']],
  ['MessageSid', ['MessageSid', 'OriginalRepliedMessageSid', 'SmsMessageSid']],
];

/** The fields that can contain the word "From" in a text or a name of a person. */
const textFields: readonly string[] = ['Body', 'ChannelMetadata', 'ProfileName'];

/** The beginning of the address of a person: `+55…`, a short number, or `whatsapp:…`. */
const addressPattern = /^(?:[+\d]|[a-z][\w-]*:)/i;

/** The beginnings of names of fields with a text of a person that Twilio sends after `OriginalRepliedMessageSid`. */
const laterTextFields = /ProfileName|Referral/;

/** The fields in the order in which Twilio signs them. */
function toFields(form: Record<string, unknown>): Field[] {
  let start = 0;
  return Object.entries(form)
    .toSorted(([left], [right]) => (left < right ? -1 : 1))
    .map(([name, value]) => {
      const field = { name, value: String(value), start };
      start += name.length + field.value.length;
      return field;
    });
}

const endOf = ({ name, value, start }: Field) => start + name.length + value.length;

/**
 * Whether `name` is somewhere in the signed text, but not in one of `names`, the fields that Twilio sends. There, it may be the true sender or the
 * true id, hidden behind a field that was only a text of a person. The word "From" may be in such a text, but not before an address.
 */
function isHidden(
  [name, names]: readonly [name: string, names: readonly string[]],
  fields: readonly Field[],
  signedText: string,
): boolean {
  const places = new Set(
    fields.filter((field) => names.includes(field.name)).map((field) => field.start + field.name.lastIndexOf(name)),
  );
  return [...signedText.matchAll(new RegExp(name, 'g'))].some(({ index }) => {
    if (places.has(index)) return false;
    if (name !== 'From') return true;
    const text = fields.find((field) => textFields.includes(field.name) && field.start < index && index < endOf(field));
    return !text || addressPattern.test(signedText.slice(index + name.length, endOf(text)));
  });
}

/**
 * Whether the id of the answered message may come from a text of a person. Between the id of a message and the id of the message that it
 * answers, Twilio sends no such text. So a name of a field with a text in between was taken into another field.
 */
function hasForgedOrigin(fields: readonly Field[], signedText: string): boolean {
  const [id, origin] = ['MessageSid', 'OriginalRepliedMessageSid'].map((name) =>
    fields.find((field) => field.name === name),
  );
  return !!id && !!origin && laterTextFields.test(signedText.slice(endOf(id), origin.start));
}

/**
 * Returns the errors of a form with a valid signature, by field: all required fields must have their exact names, no field may be sent
 * twice, and no optional field, no id and no sender may be hidden in another field. Then the sender, the id of the message and the id of
 * the message that it answers are those that Twilio has signed as such. Only a text can have lost its end.
 */
export function signedFieldErrors(
  form: Record<string, unknown>,
  required: readonly string[],
  optional: readonly string[],
): Record<string, string[]> {
  const fields = toFields(form);
  const signedText = fields.map(({ name, value }) => `${name}${value}`).join('');
  const doubled = Object.keys(form).filter((name) => typeof form[name] !== 'string');
  // All field names of the provider match this pattern. Any other name may have been the end of a text, such as the reply of a person,
  // before somebody turned it into a field name.
  const misnamed = fields.some(({ name }) => !/^[A-Z][A-Za-z0-9]*$/.test(name));
  const hidden =
    pinnedNames.some((pinned) => required.includes(pinned[0]) && isHidden(pinned, fields, signedText)) ||
    hasForgedOrigin(fields, signedText);
  const missing = required.filter((name) => form[name] === undefined);
  const hiddenOptional = optional.filter((name) => form[name] === undefined && signedText.includes(name));
  return Object.fromEntries<string[]>([
    ...doubled.map((name): [string, string[]] => [name, ['is sent twice']]),
    ...(misnamed ? [['form', ['has a field that the provider does not send']] satisfies [string, string[]]] : []),
    ...(hidden
      ? [['form', ['has an id or a sender that is not a field of its own']] satisfies [string, string[]]]
      : []),
    ...missing.map((name): [string, string[]] => [name, ['is required']]),
    ...hiddenOptional.map((name): [string, string[]] => [name, ['must be a field of its own']]),
  ]);
}
