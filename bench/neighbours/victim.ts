import { performance } from 'node:perf_hooks';
import sharp from 'sharp';
import type { BiometricsCaller } from '../uploads/biometrics-caller';
import { spreadPhoneNumber } from '../worker/spread-phone-number';

/** What a caller of another tenant does, and the persons of this tenant. */
export const actions = ['create', 'send', 'upload', 'stream'] as const;
export type Action = (typeof actions)[number];
/** The times of each action in milliseconds. */
export type Times = Record<Action, number[]>;

export const noTimes = (): Times => ({ create: [], send: [], upload: [], stream: [] });

/** A small image of a camera: sharp and well lit. */
export const createSelfie = (): Promise<Buffer> =>
  sharp({
    create: {
      width: 900,
      height: 700,
      channels: 3,
      noise: { type: 'gaussian', mean: 128, sigma: 30 },
      background: '#000000',
    },
  })
    .jpeg()
    .toBuffer();

let phones = 0;
/** A phone that no other transaction has, so that no limit of a phone is reached. */
export const newPhone = () => ({ countryCode: 55, areaCode: 11, number: spreadPhoneNumber((phones += 1)) });

/** Opens the stream of the events of a transaction, and resolves to a function that waits for the next event. */
async function openStream(address: string, token: string): Promise<() => Promise<void>> {
  const controller = new AbortController();
  const response = await fetch(`${address.replace('/transaction/', '/transactions/')}/events?after=0`, {
    headers: { authorization: `Bearer ${token}`, accept: 'text/event-stream' },
    signal: controller.signal,
  });
  if (!response.ok || !response.body) throw new Error(`The stream responded ${response.status}.`);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  const waitFor = async (type: string) => {
    for (let text = ''; !text.includes(`event: ${type}\n`); ) {
      const { value, done } = await reader.read();
      if (done) throw new Error('The stream has ended.');
      text += value;
    }
  };
  await waitFor('transaction.created');
  return async () => {
    await waitFor('confirmation.sent');
    controller.abort();
  };
}

/**
 * Does everything once, one action after the other, and adds the times to `times`. `stream`: the time from the request of a message to its
 * event in the stream.
 */
export async function measureOnce(caller: BiometricsCaller, selfie: Buffer, times: Times): Promise<void> {
  const measure = async <Result>(action: Action, work: () => Promise<Result>): Promise<Result> => {
    const start = performance.now();
    const result = await work();
    times[action].push(performance.now() - start);
    return result;
  };
  const address = await measure('create', () => caller.createTransaction({ phone: newPhone() }));
  const waitForMessage = await openStream(address, caller.token);
  const sending = measure('send', () => caller.post(`${address}/sms/tokens`));
  await measure('stream', waitForMessage);
  await sending;
  const [page] = await caller.openPages(1);
  if (page) await measure('upload', () => page.upload(selfie));
}
