import { hashDestination } from '../../messages/codes';
import {
  type InboundEvent,
  saveInboundMessage,
  saveProviderEvent,
  type StatusEvent,
} from '../../store/messages/provider-events.sql';
import { type Keyword, replyLengthMax } from '../../domain/confirmation/replies';
import { Problem } from '../http/problem';
import type { RawHandler } from '../http/route';
import { parseTwilioAddress } from './twilio-address';
import { readTwilioForm, removeUnstorable } from './twilio-form';

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
