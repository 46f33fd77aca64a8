import { setTimeout as sleep } from 'node:timers/promises';
import { type InboxMessage, type InboxPerson, type PhoneChannel, readCode } from './inbox-person';
import { expectStatus, type RetryingCaller } from './retrying-caller';

export type ConfirmationName = 'sms-token' | 'whatsapp-2fa';

export interface Actors {
  caller: RetryingCaller;
  person: InboxPerson;
  /** Path of the transaction. */
  path: string;
  /** The end of each idempotency key, different for each person. */
  keySuffix: string;
}

interface ConfirmationActions {
  /** Relative to the path of the transaction, such as `sms/tokens`. */
  path: string;
  channel: PhoneChannel;
  finalStatus: string;
  answer: (actors: Actors, message: InboxMessage) => Promise<void>;
  readStatus: (actors: Actors) => Promise<string | undefined>;
}

/** After a kill, a reply waits until the service has checked at the provider whether the question was sent. */
const replyWithinMs = 60_000;

async function enterCode({ caller, path, keySuffix }: Actors, message: InboxMessage): Promise<void> {
  const requestBody = { value: readCode(message) };
  const response = expectStatus(200, await caller.post(`${path}/sms/tokens/validate`, `try-${keySuffix}`, requestBody));
  const { status } = response.body as { status: string };
  if (status !== 'Valid') throw new Error(`the right code was ${status}`);
}

async function pressYes(actors: Actors, message: InboxMessage): Promise<void> {
  await actors.person.pressButton(message, 1);
  const deadline = Date.now() + replyWithinMs;
  while ((await readReplyStatus(actors)) !== 'Replied') {
    if (Date.now() > deadline) throw new Error(`the reply was not accepted within ${replyWithinMs / 1_000} s`);
    await sleep(200);
  }
}

async function readTokenStatus({ caller, path }: Actors): Promise<string | undefined> {
  const { body } = expectStatus(200, await caller.get(`${path}/all`));
  return (body as { smsToken?: { status: string } }).smsToken?.status;
}

async function readReplyStatus({ caller, path }: Actors): Promise<string | undefined> {
  const { body } = await caller.get(`${path}/whatsapps/2fa`);
  return (body as { status: string }[] | undefined)?.[0]?.status;
}

export const confirmationActions: Record<ConfirmationName, ConfirmationActions> = {
  'sms-token': {
    path: 'sms/tokens',
    channel: 'sms',
    finalStatus: 'Valid',
    answer: enterCode,
    readStatus: readTokenStatus,
  },
  'whatsapp-2fa': {
    path: 'whatsapps/2fa',
    channel: 'whatsapp',
    finalStatus: 'Replied',
    answer: pressYes,
    readStatus: readReplyStatus,
  },
};
