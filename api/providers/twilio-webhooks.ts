import { hashDestination } from '../../platform/codes';
import { saveProviderEvent } from '../../store/messages/provider-events.sql';
import { Problem } from '../http/problem';
import type { Serve } from '../http/route';
import type { InboundEvent, StatusEvent } from './provider-event';
import { writtenForms } from './written-forms';
import { readTwilioForm, storable } from './twilio-form';

/** Ids of messages as the provider makes them. */
const sidPattern = /^(?:SM|MM)[0-9a-f]{32}$/i;

/** Its numbers of errors; they reach histories and logs, so nothing else passes. */
const codePattern = /^\d{1,9}$/;

/** A reply longer than this is no answer, and nobody needs to keep it. */
const textLengthMax = 200;

/** POST /webhooks/twilio/status/{sendId}: how far a message of ours came. */
export const takeStatus: Serve = async (dependencies, request, response) => {
  const form = await readTwilioForm(dependencies, request, response);
  const { MessageSid: providerId = '', MessageStatus: status = '', ErrorCode: code } = form;
  if (!sidPattern.test(providerId) || !status)
    throw new Problem('validation_failed', { errors: { MessageSid: ['is missing or not an id'] } });
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

/** POST /webhooks/twilio/inbound: what a person wrote or which button they pressed. */
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
    throw new Problem('validation_failed', { errors: { MessageSid: ['is missing or not an id'] } });
  const event: InboundEvent = {
    kind: 'inbound',
    channel: from.startsWith('whatsapp:') ? 'whatsapp' : 'sms',
    senders: writtenForms(from.replace(/^whatsapp:/, '')).map((form) => hashDestination(dependencies.keys, form)),
    text: text.length > textLengthMax ? '' : text,
    ...(button ? { button } : {}),
    ...(repliedTo ? { repliedTo } : {}),
  };
  await saveProviderEvent(dependencies.pool, providerId, event);
  dependencies.processEvents();
  // An empty answer tells the provider to send nothing back.
  response.type('text/xml').send('<?xml version="1.0" encoding="UTF-8"?><Response/>');
};
