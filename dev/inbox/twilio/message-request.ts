import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { ContentTemplate } from '../content';
import { type Button, type CopyButton, type Message, newSid, type PhoneChannel } from '../message';
import { parseAddress } from './address';
import { checkRecipient } from './check-recipient';
import { renderContent } from './content-template';
import { notFound, TwilioProblem } from './twilio-problem';

const optionalText = z.string().optional();
const formSchema = z.object({
  To: optionalText,
  From: optionalText,
  MessagingServiceSid: optionalText,
  Body: optionalText,
  ContentSid: optionalText,
  ContentVariables: optionalText,
  StatusCallback: optionalText,
});
type Form = z.infer<typeof formSchema>;

/** The maximum length of a text. The provider rejects a longer text. */
const bodyCharactersMax = 1_600;

/** Reads a message from the form of a create request. Throws TwilioProblem. */
export function readMessageRequest(body: unknown, findContent: (sid: string) => ContentTemplate | undefined): Message {
  const parsed = formSchema.safeParse(body ?? {});
  if (!parsed.success) throw new TwilioProblem(400, 20001, 'A parameter was given more than once');
  const form = parsed.data;
  if (!form.To) throw new TwilioProblem(400, 21604, "A 'To' phone number is required.");
  const { channel, number } = parseAddress(form.To);
  const from = readSender(form, channel);
  const content = readContent(form, channel, findContent);
  checkRecipient(number, channel);
  if (form.StatusCallback && !/^https?:\/\//i.test(form.StatusCallback)) {
    throw new TwilioProblem(400, 21609, `The StatusCallback URL ${form.StatusCallback} is not a valid URL.`);
  }
  const now = new Date().toISOString();
  return {
    id: newSid('SM'),
    channel,
    direction: 'outbound',
    to: number,
    from,
    ...content,
    status: 'queued',
    createdAt: now,
    updatedAt: now,
    ...(form.StatusCallback && { statusCallback: form.StatusCallback }),
    ...(form.MessagingServiceSid && { messagingServiceSid: form.MessagingServiceSid }),
    ...(form.ContentSid && { contentSid: form.ContentSid }),
  };
}

/** A sender number that is always invalid. Twilio defines it for tests. */
const invalidTestNumber = '+15005550001';

function readSender(form: Form, channel: PhoneChannel): string {
  if (!form.From) {
    if (!form.MessagingServiceSid) throw new TwilioProblem(400, 21603, "A 'From' phone number is required.");
    return serviceNumberOf(form.MessagingServiceSid);
  }
  const sender = parseAddress(form.From);
  const valid = /^\+[1-9]\d{6,14}$|^\d{3,8}$|^(?=.*[A-Za-z])[A-Za-z0-9 ]{1,11}$/.test(sender.number);
  if (!valid || sender.number === invalidTestNumber) {
    throw new TwilioProblem(400, 21212, `The 'From' number ${form.From} is not a valid phone number.`);
  }
  if (sender.channel !== channel) {
    throw new TwilioProblem(400, 21910, 'Invalid From and To pair. They must be of the same channel.');
  }
  return sender.number;
}

/**
 * The phone number from which a messaging service of Twilio sends. One messaging service always sends from the same number, like the
 * "sticky sender" of Twilio.
 */
function serviceNumberOf(messagingServiceSid: string): string {
  const digits = createHash('md5').update(messagingServiceSid).digest().readUInt32BE(0) % 10_000_000;
  return `+1555${String(digits).padStart(7, '0')}`;
}

function readContent(
  form: Form,
  channel: PhoneChannel,
  findContent: (sid: string) => ContentTemplate | undefined,
): { text: string; buttons?: Button[]; copyButton?: CopyButton } {
  if (form.ContentSid) {
    const content = findContent(form.ContentSid);
    if (!content) throw notFound(`/Content/${form.ContentSid}`);
    return renderContent(content, channel, form.ContentVariables);
  }
  if (!form.Body) throw new TwilioProblem(400, 21602, 'Message body is required.');
  if (form.Body.length > bodyCharactersMax) {
    throw new TwilioProblem(400, 21617, 'The concatenated message body exceeds the 1600 character limit');
  }
  return { text: form.Body };
}
