import { hashDestination } from '../../platform/codes';
import { saveProviderEvent } from '../../store/messages/provider-events.sql';
import { Problem } from '../http/problem';
import type { Serve } from '../http/route';
import type { InboundEvent, StatusEvent } from './provider-event';
import { readTwilioForm, storable } from './twilio-form';

const sidPattern = /^(?:SM|MM)[0-9a-f]{32}$/i;

/** Error codes reach histories and logs, so they must be numbers. */
const codePattern = /^\d{1,9}$/;

/** A longer text is not a reply and is not saved. */
const textLengthMax = 200;

/**
 * The forms of a phone number. WhatsApp still knows many Brazilian mobiles without the ninth digit that was added later, so a
 * reply may come from a number that looks different.
 */
function formsOf(number: string): string[] {
  const [, areaCode, nine, rest] = /^\+55(\d{2})(9?)([6-9]\d{7})$/.exec(number) ?? [];
  if (!areaCode || !rest) return [number];
  return nine ? [number, `+55${areaCode}${rest}`] : [number, `+55${areaCode}9${rest}`];
}

/** POST /webhooks/twilio/status/{sendId}: the delivery status of a message. */
export const takeStatus: Serve = async (dependencies, request, response) => {
  const form = await readTwilioForm(dependencies, request, response);
  const { MessageSid: providerId = '', MessageStatus: status = '', ErrorCode: code } = form;
  if (!sidPattern.test(providerId) || !status)
    throw new Problem('validation_failed', { errors: { MessageSid: ['must be the id of a message'] } });
  const sendId = storable(String(request.params['sendId']));
  const event: StatusEvent = {
    kind: 'status',
    sendId,
    providerId,
    status,
    ...(codePattern.test(code ?? '') ? { code } : {}),
  };
  await saveProviderEvent(dependencies.pool, `${providerId}:${status}`, event);
  dependencies.processEvents();
  response.status(204).end();
};

/** POST /webhooks/twilio/inbound: a text or button of a person. */
export const takeInbound: Serve = async (dependencies, request, response) => {
  const form = await readTwilioForm(dependencies, request, response);
  const {
    MessageSid: providerId = '',
    From: from = '',
    Body: text = '',
    ButtonPayload: button,
    OriginalRepliedMessageSid: repliedTo,
  } = form;
  if (!sidPattern.test(providerId))
    throw new Problem('validation_failed', { errors: { MessageSid: ['must be the id of a message'] } });
  const event: InboundEvent = {
    kind: 'inbound',
    channel: from.startsWith('whatsapp:') ? 'whatsapp' : 'sms',
    senders: formsOf(from.replace(/^whatsapp:/, '')).map((form) => hashDestination(dependencies.keys, form)),
    text: text.length > textLengthMax ? '' : text,
    ...(button ? { button } : {}),
    ...(repliedTo ? { repliedTo } : {}),
  };
  await saveProviderEvent(dependencies.pool, providerId, event);
  dependencies.processEvents();
  // An empty response means that the provider sends nothing back.
  response.type('text/xml').send('<?xml version="1.0" encoding="UTF-8"?><Response/>');
};
