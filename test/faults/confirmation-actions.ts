import { setTimeout as sleep } from 'node:timers/promises';
import { type InboxMessage, type InboxPerson, type PhoneChannel, readCode } from './inbox-person';
import { expectStatus, type RetryingCaller } from './retrying-caller';

export type ConfirmationName = 'sms-token' | 'whatsapp-2fa';

/** The caller and the person of a confirmation, and its transaction. */
export interface Actors {
  caller: RetryingCaller;
  person: InboxPerson;
  /** Path of the transaction. */
  path: string;
  /** The end of each idempotency key, different for each person. */
  keySuffix: string;
}

/** How a confirmation is requested, answered by the person, and read at its end. */
interface ConfirmationActions {
  /** The path that requests the confirmation, such as `sms/tokens`. It is relative to the path of the transaction. */
  path: string;
  channel: PhoneChannel;
  finalStatus: string;
  answer: (actors: Actors, message: InboxMessage) => Promise<void>;
  readStatus: (actors: Actors) => Promise<string | undefined>;
}

/**
 * The time limit until a reply is accepted. After a worker is killed, the service first checks at the provider whether the question was
 * sent. A reply waits until this check has ended.
 */
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
