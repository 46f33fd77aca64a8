import type { PageStep } from '../../domain/biometrics/capture';
import { smsToken } from '../../flows/confirmations';
import { refusedWith } from '../support/refused';
import { type Told, World } from '../support/world';

let world: World;
beforeAll(async () => {
  world = await World.open();
});
afterAll(() => world.close());

const capture = { imageId: 'i', width: 1200, height: 900, sharpness: 200, brightness: 120 };
const walk: PageStep[] = [
  { step: 'open' },
  { step: 'consent' },
  { step: 'capture', kind: 'documentFront', capture },
  { step: 'capture', kind: 'documentBack', capture },
  { step: 'capture', kind: 'selfie', capture },
  { step: 'submit' },
];

const begun = async (): Promise<Told> => {
  const told = await world.transaction();
  await world.assessed(told);
  return told;
};
const recorded = (told: Told) => world.activities.records.get(told.id);
const walked = async (told: Told, steps: readonly PageStep[], owner = 'mine') => {
  for (const step of steps) await told.step('a', owner, step);
};

test('every step from link to decision is saved before its answer', async () => {
  const told = await begun();
  await told.link('a');
  const statuses: (string | undefined)[] = [];
  for (const step of walk) {
    const answer = await told.step('a', 'mine', step);
    expect(recorded(told)?.biometrics?.at(-1)).toEqual(answer);
    statuses.push(answer.status);
  }
  expect(statuses).toEqual([...Array.from({ length: 5 }, () => 'InProgress'), 'Processing']);
  const answer = await told.decide('a', 'Approved');
  expect(answer).toMatchObject({ status: 'Approved', decision: { by: 'reviewer-1' } });
  expect(recorded(told)?.scores.map(({ reason }) => reason)).toEqual(['Initial', 'BiometricsChecked']);
  expect(await refusedWith(told.decide('a', 'Rejected'))).toMatchObject({ type: 'NotInReview' });
});

test('of two browsers that open a link at the same time, one owns it', async () => {
  const told = await begun();
  await told.link('a');
  const opened = await Promise.allSettled(['one', 'two'].map((owner) => told.step('a', owner, { step: 'open' })));
  expect(opened.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  const owner = recorded(told)?.biometrics?.[0]?.owner ?? '';
  const other = owner === 'one' ? 'two' : 'one';
  expect(await refusedWith(told.step('a', other, { step: 'consent' }))).toMatchObject({ type: 'LinkTaken' });
});

test.each([
  ['never opened', [], 'Expired'],
  ['opened', walk.slice(0, 2), 'Abandoned'],
] as const)('a link that was %s is over after a day', async (_, steps, status) => {
  const told = await begun();
  await told.link('a');
  await walked(told, steps);
  await world.env.sleep('25h');
  expect(recorded(told)?.biometrics?.[0]?.status).toBe(status);
});

test('submitted images do not expire, and a canceled link has no timer', async () => {
  const told = await begun();
  await told.link('b');
  await told.link('a');
  await walked(told, walk);
  await world.env.sleep('25h');
  expect(recorded(told)?.biometrics?.map(({ status }) => status)).toEqual(['Canceled', 'Processing']);
});

describe('messages with the link', () => {
  const text = { 'pt-BR': { body: '{{link}}' }, en: { body: '{{link}}' }, es: { body: '{{link}}' } };
  const sending = {
    channels: ['sms', 'email', 'whatsapp'],
    messages: { sms: text, email: text, whatsapp: text },
  } as const;
  const sends = (told: Told) =>
    recorded(told)
      ?.biometrics?.at(-1)
      ?.sends.map(({ channel, state }) => [channel, state].join(' '));

  test('are sent by each channel before the answer, which has the outcome of each', async () => {
    const told = await begun();
    world.activities.fates.push('accept', 'DestinationRefused');
    const answer = await told.link('m', sending);
    expect(answer.sends.map(({ state }) => state).toSorted()).toEqual(['accepted', 'accepted', 'failed']);
    expect(recorded(told)?.biometrics?.at(-1)).toEqual(answer);
    expect(told.messages().map(({ flow: settings, confirmationId }) => [settings.kind, confirmationId])).toEqual([
      ['link', 'm'],
      ['link', 'm'],
    ]);
  });

  test('are sent after the link is saved', async () => {
    const told = await begun();
    let known: unknown;
    world.activities.beforeDelivering = () => {
      known = recorded(told)?.biometrics?.at(-1)?.id;
    };
    await told.link('m', { ...sending, channels: ['sms'] });
    world.activities.beforeDelivering = () => undefined;
    expect(known).toBe('m');
  });

  test('are not retried after a newer link replaces theirs', async () => {
    const told = await begun();
    world.activities.fates.push(...Array.from({ length: 100 }, () => 'outage' as const));
    await told.link('m', { ...sending, channels: ['sms'] });
    await told.link('n');
    await world.env.sleep('1m');
    const tried = world.activities.attempted.filter(({ transactionId }) => transactionId === told.id).length;
    await world.env.sleep('9m');
    const later = world.activities.attempted.filter(({ transactionId }) => transactionId === told.id).length;
    world.activities.fates.length = 0;
    expect(later).toBe(tried);
  });

  test('with an unknown outcome are retried for ten minutes at most', async () => {
    const told = await begun();
    world.activities.fates.push('outage', 'outage', 'accept');
    const answer = await told.link('m', { ...sending, channels: ['sms'] });
    expect(answer.sends).toMatchObject([{ state: 'pending' }]);
    await world.env.sleep('1m');
    expect(sends(told)).toEqual(['sms accepted']);
    world.activities.fates.push(...Array.from({ length: 100 }, () => 'outage' as const));
    await told.link('n', { ...sending, channels: ['sms'] });
    await world.env.sleep('11m');
    expect(sends(told)).toEqual(['sms failed']);
    world.activities.fates.length = 0;
  });

  test('are failed when the provider later reports a failure', async () => {
    const told = await begun();
    await told.link('m', { ...sending, channels: ['sms'] });
    await told.progress('m.sms', 'failed');
    await told.progress('m.sms', 'sent');
    await told.decide('m', 'Approved').catch(() => undefined);
    expect(sends(told)).toEqual(['sms failed']);
  });

  test('are at least a minute apart; a link that the caller sends is available immediately', async () => {
    const told = await begun();
    await told.link('m', { ...sending, channels: ['sms'] });
    const again = () => told.link('n', { ...sending, channels: ['sms'] });
    expect(await refusedWith(again())).toMatchObject({ type: 'ResendTooSoon' });
    await told.link('n');
    expect(recorded(told)?.biometrics?.map(({ status }) => status)).toEqual(['Canceled', 'Waiting']);
    // A link in between that nobody was sent changes nothing about the last message.
    expect(await refusedWith(told.link('o', { ...sending, channels: ['sms'] }))).toMatchObject({
      type: 'ResendTooSoon',
    });
  });
});

describe('the message after the decision', () => {
  const texts = (body: string) => ({ 'pt-BR': { body }, en: { body }, es: { body } });
  const link = texts('{{link}}');
  const sending = {
    channels: ['sms', 'email'],
    messages: { sms: link, email: link },
    decisionTexts: { sms: texts('checked'), email: texts('checked') },
  } as const;
  const notices = (told: Told) => told.messages().filter(({ flow: settings }) => settings.kind === 'notice');

  test('goes out once by each channel that took the link', async () => {
    const told = await begun();
    world.activities.fates.push('accept', 'DestinationRefused');
    const { sends } = await told.link('a', sending);
    await walked(told, walk);
    expect(notices(told)).toEqual([]);
    await told.decide('a', 'Rejected');
    expect(await refusedWith(told.decide('a', 'Rejected'))).toMatchObject({ type: 'NotInReview' });
    await world.env.sleep('1m');
    const taken = sends.filter(({ state }) => state === 'accepted').map(({ channel }) => `a.decided-${channel}`);
    expect(taken).toHaveLength(1);
    expect(notices(told)).toMatchObject([{ sendId: taken[0], confirmationId: 'a', message: { body: 'checked' } }]);
  });

  test('is tried again during an outage, for an hour', async () => {
    const told = await begun();
    await told.link('a', { ...sending, channels: ['sms'] });
    await walked(told, walk);
    world.activities.fates.push('outage', 'outage', 'accept');
    await told.decide('a', 'Approved');
    await world.env.sleep('1m');
    expect(notices(told)).toHaveLength(1);

    const other = await begun();
    await other.link('a', { ...sending, channels: ['sms'] });
    await walked(other, walk);
    world.activities.fates.push(...Array.from({ length: 1_000 }, () => 'outage' as const));
    await other.decide('a', 'Approved');
    await world.env.sleep('61m');
    world.activities.fates.length = 0;
    await world.env.sleep('1h');
    expect(notices(other)).toEqual([]);
  });

  test('also follows a decision of the policy', async () => {
    world.activities.faces = { similarity: 0.95, liveness: 0.97, selfieFaces: 1, documentFaces: 1, notes: [] };
    const told = await begun();
    await told.link('a', { ...sending, facePolicy: { approve: { similarity: 0.9, liveness: 0.9 } } });
    await walked(told, walk);
    await world.env.sleep('1m');
    expect(recorded(told)?.biometrics?.at(-1)?.decision?.by).toBe('policy');
    expect(notices(told)).toHaveLength(2);
  });
});

describe('a face verifier', () => {
  const found = { similarity: 0.95, liveness: 0.97, selfieFaces: 1, documentFaces: 1, notes: ['v1'] };
  const approve = { similarity: 0.9, liveness: 0.9 };
  const reviewed = async (told: Told) => {
    // The findings come beside the answer to the submission.
    for (let tries = 0; tries < 50 && !recorded(told)?.biometrics?.at(-1)?.faces; tries += 1)
      await new Promise((resolve) => setTimeout(resolve, 50));
    return recorded(told)?.biometrics?.at(-1);
  };
  beforeEach(() => {
    world.activities.faces = found;
    world.activities.verified.length = 0;
  });

  test('is asked only if the tenant wants it', async () => {
    const told = await begun();
    await told.link('a');
    await walked(told, walk);
    await world.env.sleep('1m');
    expect(world.activities.verified).toEqual([]);
  });

  test('informs the reviewer, and does not decide without a policy', async () => {
    const told = await begun();
    await told.link('a', { facePolicy: {} });
    await walked(told, walk);
    expect(await reviewed(told)).toMatchObject({ status: 'Processing', faces: found });
    expect(world.activities.verified).toEqual([
      { tenant: 'local', transactionId: told.id, selfie: 'i', documentFront: 'i' },
    ]);
  });

  test('approves findings that meet the policy, and leaves others to the reviewer', async () => {
    const told = await begun();
    await told.link('a', { facePolicy: { approve } });
    await walked(told, walk);
    expect(await reviewed(told)).toMatchObject({ status: 'Approved', decision: { by: 'policy' } });
    expect(recorded(told)?.scores.at(-1)?.reason).toBe('BiometricsChecked');
    world.activities.faces = { ...found, liveness: 0.89 };
    const other = await begun();
    await other.link('a', { facePolicy: { approve } });
    await walked(other, walk);
    expect(await reviewed(other)).toMatchObject({ status: 'Processing' });
  });

  test('without findings is not asked again when the transaction resumes', async () => {
    world.activities.faces = null;
    const told = await begun();
    await told.link('a', { facePolicy: {} });
    await walked(told, walk);
    await world.env.sleep('25h');
    expect(recorded(told)?.biometrics?.at(-1)?.verifiedAt).toBeDefined();
    await world.wake(told, smsToken);
    await world.env.sleep('1m');
    expect(world.activities.verified).toHaveLength(1);
  });

  test('is asked by the next workflow run if the first did not ask', async () => {
    const told = await begun();
    await told.link('a', { facePolicy: {} });
    await walked(told, walk);
    await reviewed(told);
    await world.env.sleep('25h');
    const state = recorded(told);
    if (!state?.biometrics) throw new Error('There is no record.');
    const biometrics = state.biometrics.map((link) => {
      const unasked = { ...link };
      delete unasked.verifiedAt;
      return unasked;
    });
    world.activities.records.set(told.id, { ...state, biometrics });
    world.activities.verified.length = 0;
    await world.wake(told, smsToken);
    await world.env.sleep('1m');
    expect(world.activities.verified).toHaveLength(1);
  });

  test('is retried during an outage until somebody decides', async () => {
    world.activities.faceOutages = 3;
    const told = await begun();
    await told.link('a', { facePolicy: { approve } });
    await walked(told, walk);
    await told.decide('a', 'Rejected');
    await world.env.sleep('5m');
    expect(world.activities.verified).toEqual([]);
    expect(recorded(told)?.biometrics?.at(-1)).toMatchObject({ status: 'Rejected', decision: { by: 'reviewer-1' } });
  });
});

test('an open link keeps its transaction running, and expires in time', async () => {
  const told = await begun();
  await told.link('a', { expiresAfterMs: 3 * 86_400_000 });
  await world.env.sleep('49h');
  expect((await told.handle.describe()).status.name).toBe('RUNNING');
  await told.step('a', 'mine', { step: 'open' });
  await world.env.sleep('24h');
  expect(recorded(told)?.biometrics?.[0]?.status).toBe('Abandoned');
});

describe('erasure', () => {
  test('destroys the images and their findings, and cancels an open link', async () => {
    const told = await begun();
    await told.link('a');
    await walked(told, walk);
    let status: unknown;
    world.activities.beforeErasing = () => {
      status = recorded(told)?.biometrics?.[0]?.status;
    };
    const answer = await told.eraseImages('client-7');
    world.activities.beforeErasing = () => undefined;
    // From then on the API takes nothing in any more.
    expect(status).toBe('Canceled');
    expect(world.activities.erasures.at(-1)).toEqual({ tenant: 'local', transactionId: told.id, actor: 'client-7' });
    expect(recorded(told)?.biometrics).toMatchObject([{ status: 'Canceled', captures: {}, erasedAt: answer.erasedAt }]);
    expect(await refusedWith(told.decide('a', 'Approved'))).toMatchObject({ type: 'NotInReview' });
  });

  test('keeps decisions, and closes an open link', async () => {
    const told = await begun();
    await told.link('a');
    await walked(told, walk);
    await told.decide('a', 'Approved');
    await told.link('b');
    await walkedOn(told, 'b');
    await told.eraseImages();
    expect(recorded(told)?.biometrics?.map(({ status }) => status)).toEqual(['Approved', 'Canceled']);
    expect(await refusedWith(told.step('b', 'mine', { step: 'consent' }))).toMatchObject({ type: 'LinkClosed' });
  });

  test('of a transaction without a link is rejected', async () => {
    expect(await refusedWith((await begun()).eraseImages())).toMatchObject({ type: 'BiometricsNotFound' });
  });
});

const walkedOn = (told: Told, id: string) => told.step(id, 'mine', { step: 'open' });
