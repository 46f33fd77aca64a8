import type { Message } from '../message';
import { apiVersion } from '../twilio/status-fields';

/** The form fields of a request about a call. */
export function callFields(message: Message, accountSid: string): Record<string, string> {
  const { answeredBy } = message.call ?? {};
  return {
    AccountSid: accountSid,
    ApiVersion: apiVersion,
    CallSid: message.id,
    CallStatus: message.status,
    Called: message.to,
    Caller: message.from,
    Direction: 'outbound-api',
    From: message.from,
    To: message.to,
    ...(answeredBy !== undefined && { AnsweredBy: answeredBy }),
  };
}

/** The form fields of a status callback. `number`: how many callbacks were sent before. */
export const callStatusFields = (message: Message, accountSid: string, number: number): Record<string, string> => ({
  ...callFields(message, accountSid),
  CallbackSource: 'call-progress-events',
  SequenceNumber: String(number),
  Timestamp: new Date(message.updatedAt).toUTCString(),
  ...(message.status === 'completed' && { CallDuration: '10', Duration: '1' }),
});
