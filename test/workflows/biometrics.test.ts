import type { PageAction } from '../../domain/biometrics/capture';
import { dueAtOf } from '../../domain/transactions/status';
import { smsToken } from '../../flows/confirmations';
import { rejectionOf } from '../support/rejection-of';
import { type TestTransaction, World } from '../support/world';

let world: World;
beforeAll(async () => {
  world = await World.open();
});
afterAll(() => world.close());

const capture = { imageId: 'i', width: 1200, height: 900, sharpness: 200, brightness: 120 };
const allSteps: PageAction[] = [
  { action: 'open' },
  { action: 'consent' },
  { action: 'capture', kind: 'documentFront', capture },
  { action: 'capture', kind: 'documentBack', capture },
  { action: 'capture', kind: 'selfie', capture },
  { action: 'submit' },
];

const startTransaction = async (): Promise<TestTransaction> => {
  const transaction = await world.createTransaction();
  await world.waitForAssessment(transaction);
  return transaction;
};
const readRecord = (transaction: TestTransaction) => world.activities.records.get(transaction.id);
const sendSteps = async (transaction: TestTransaction, steps: readonly PageAction[], owner = 'mine') => {
  for (const step of steps) await transaction.sendPageAction('a', owner, step);
};

test('every action on a link is saved in the record before its response, and so is the decision', async () => {
  const transaction = await startTransaction();
  await transaction.requestLink('a');
  const statuses: (string | undefined)[] = [];
  for (const step of allSteps) {
    const answer = await transaction.sendPageAction('a', 'mine', step);
    expect(readRecord(transaction)?.biometrics?.at(-1)).toEqual(answer);
    statuses.push(answer.status);
  }
  expect(statuses).toEqual([...Array.from({ length: 5 }, () => 'InProgress'), 'Processing']);
  const answer = await transaction.decide('a', 'Approved');
  expect(answer).toMatchObject({ status: 'Approved', decision: { by: 'reviewer-1' } });
  expect(readRecord(transaction)?.scores.map(({ reason }) => reason)).toEqual(['Initial', 'BiometricsChecked']);
  expect(await rejectionOf(transaction.decide('a', 'Rejected'))).toMatchObject({ type: 'NotInReview' });
});

test('if two browsers open a link at the same time, only one of them owns the link', async () => {
  const transaction = await startTransaction();
  await transaction.requestLink('a');
  const results = await Promise.allSettled(
    ['one', 'two'].map((owner) => transaction.sendPageAction('a', owner, { action: 'open' })),
  );
  expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  const owner = readRecord(transaction)?.biometrics?.[0]?.owner ?? '';
  const other = owner === 'one' ? 'two' : 'one';
  expect(await rejectionOf(transaction.sendPageAction('a', other, { action: 'consent' }))).toMatchObject({
    type: 'LinkTaken',
  });
});

test.each([
  ['was never opened', 'Expired', []],
  ['was only opened', 'Abandoned', allSteps.slice(0, 2)],
] as const)('after a day, a link that %s has the status %s', async (_, status, steps) => {
  const transaction = await startTransaction();
  await transaction.requestLink('a');
  await sendSteps(transaction, steps);
  await world.env.sleep('25h');
  expect(readRecord(transaction)?.biometrics?.[0]?.status).toBe(status);
});

test('a link with submitted images does not expire, and a canceled link stays canceled', async () => {
  const transaction = await startTransaction();
  await transaction.requestLink('b');
  await transaction.requestLink('a');
  await sendSteps(transaction, allSteps);
  await world.env.sleep('25h');
  expect(readRecord(transaction)?.biometrics?.map(({ status }) => status)).toEqual(['Canceled', 'Processing']);
});

describe('messages with the link', () => {
  const text = { 'pt-BR': { body: '{{link}}' }, en: { body: '{{link}}' }, es: { body: '{{link}}' } };
  const linkOptions = {
    channels: ['sms', 'email', 'whatsapp'],
    messages: { sms: text, email: text, whatsapp: text },
  } as const;
  const sendStates = (transaction: TestTransaction) =>
    readRecord(transaction)
      ?.biometrics?.at(-1)
      ?.sends.map(({ channel, state }) => [channel, state].join(' '));

  test('messages with the link are sent on each channel before the response, and the response has the result of each message', async () => {
    const transaction = await startTransaction();
    world.activities.deliveryResults.push('accept', 'DestinationRefused');
    const answer = await transaction.requestLink('m', linkOptions);
    expect(answer.sends.map(({ state }) => state).toSorted()).toEqual(['accepted', 'accepted', 'failed']);
    expect(readRecord(transaction)?.biometrics?.at(-1)).toEqual(answer);
    expect(
      transaction
        .messages()
        .map(({ settings, confirmationOrLinkId: confirmationId }) => [settings.kind, confirmationId]),
    ).toEqual([
      ['link', 'm'],
      ['link', 'm'],
    ]);
  });

  test('messages with the link are sent after the link is saved', async () => {
    const transaction = await startTransaction();
    let savedLink: unknown;
    world.activities.beforeDelivering = () => {
      savedLink = readRecord(transaction)?.biometrics?.at(-1)?.id;
    };
    await transaction.requestLink('m', { ...linkOptions, channels: ['sms'] });
    world.activities.beforeDelivering = () => undefined;
    expect(savedLink).toBe('m');
  });

  test('messages with a link are not retried after a newer link has replaced this link', async () => {
    const transaction = await startTransaction();
    world.activities.deliveryResults.push(...Array.from({ length: 100 }, () => 'outage' as const));
    await transaction.requestLink('m', { ...linkOptions, channels: ['sms'] });
    await transaction.requestLink('n');
    await world.env.sleep('1m');
    const attempts = world.activities.deliveryAttempts.filter(
      ({ transactionId }) => transactionId === transaction.id,
    ).length;
    await world.env.sleep('9m');
    const laterAttempts = world.activities.deliveryAttempts.filter(
      ({ transactionId }) => transactionId === transaction.id,
    ).length;
    world.activities.deliveryResults.length = 0;
    expect(laterAttempts).toBe(attempts);
  });

  test('messages with the link are retried while their outcome is unknown, but at most for ten minutes', async () => {
    const transaction = await startTransaction();
    world.activities.deliveryResults.push('outage', 'outage', 'accept');
    const answer = await transaction.requestLink('m', { ...linkOptions, channels: ['sms'] });
    expect(answer.sends).toMatchObject([{ state: 'pending' }]);
    await world.env.sleep('1m');
    expect(sendStates(transaction)).toEqual(['sms accepted']);
    world.activities.deliveryResults.push(...Array.from({ length: 100 }, () => 'outage' as const));
    await transaction.requestLink('n', { ...linkOptions, channels: ['sms'] });
    await world.env.sleep('11m');
    expect(sendStates(transaction)).toEqual(['sms failed']);
    world.activities.deliveryResults.length = 0;
  });

  test('a message with the link fails when the provider later reports a failure', async () => {
    const transaction = await startTransaction();
    await transaction.requestLink('m', { ...linkOptions, channels: ['sms'] });
    await transaction.sendDeliveryStatus('m.sms', 'failed');
    await transaction.sendDeliveryStatus('m.sms', 'sent');
    await transaction.decide('m', 'Approved').catch(() => undefined);
    expect(sendStates(transaction)).toEqual(['sms failed']);
  });

  test('messages with links are at least a minute apart, but a link without a message needs no pause', async () => {
    const transaction = await startTransaction();
    await transaction.requestLink('m', { ...linkOptions, channels: ['sms'] });
    const requestAgain = () => transaction.requestLink('n', { ...linkOptions, channels: ['sms'] });
    expect(await rejectionOf(requestAgain())).toMatchObject({ type: 'ResendTooSoon' });
    await transaction.requestLink('n');
    expect(readRecord(transaction)?.biometrics?.map(({ status }) => status)).toEqual(['Canceled', 'Waiting']);
    // A link without a message does not shorten the pause after the last message.
    expect(await rejectionOf(transaction.requestLink('o', { ...linkOptions, channels: ['sms'] }))).toMatchObject({
      type: 'ResendTooSoon',
    });
  });
});

describe('the message after the decision', () => {
  const inEveryLanguage = (body: string) => ({ 'pt-BR': { body }, en: { body }, es: { body } });
  const linkTexts = inEveryLanguage('{{link}}');
  const linkOptions = {
    channels: ['sms', 'email'],
    messages: { sms: linkTexts, email: linkTexts },
    decisionTexts: { sms: inEveryLanguage('checked'), email: inEveryLanguage('checked') },
  } as const;
  const decisionMessages = (transaction: TestTransaction) =>
    transaction.messages().filter(({ settings }) => settings.kind === 'biometricsResult');

  test('a message after the decision is sent once on each channel where the provider accepted the message with the link', async () => {
    const transaction = await startTransaction();
    world.activities.deliveryResults.push('accept', 'DestinationRefused');
    const { sends } = await transaction.requestLink('a', linkOptions);
    await sendSteps(transaction, allSteps);
    expect(decisionMessages(transaction)).toEqual([]);
    await transaction.decide('a', 'Rejected');
    expect(await rejectionOf(transaction.decide('a', 'Rejected'))).toMatchObject({ type: 'NotInReview' });
    await world.env.sleep('1m');
    const expectedSendIds = sends
      .filter(({ state }) => state === 'accepted')
      .map(({ channel }) => `a.decided-${channel}`);
    expect(expectedSendIds).toHaveLength(1);
    expect(decisionMessages(transaction)).toMatchObject([
      { sendId: expectedSendIds[0], confirmationOrLinkId: 'a', message: { body: 'checked' } },
    ]);
  });

  test('the message after the decision is retried during an outage, but at most for an hour', async () => {
    const transaction = await startTransaction();
    await transaction.requestLink('a', { ...linkOptions, channels: ['sms'] });
    await sendSteps(transaction, allSteps);
    world.activities.deliveryResults.push('outage', 'outage', 'accept');
    await transaction.decide('a', 'Approved');
    await world.env.sleep('1m');
    expect(decisionMessages(transaction)).toHaveLength(1);

    const other = await startTransaction();
    await other.requestLink('a', { ...linkOptions, channels: ['sms'] });
    await sendSteps(other, allSteps);
    world.activities.deliveryResults.push(...Array.from({ length: 1_000 }, () => 'outage' as const));
    await other.decide('a', 'Approved');
    await world.env.sleep('61m');
    world.activities.deliveryResults.length = 0;
    await world.env.sleep('1h');
    expect(decisionMessages(other)).toEqual([]);
  });

  test('the message after the decision is also sent if the face policy decides in place of a reviewer', async () => {
    world.activities.faceFindings = { similarity: 0.95, liveness: 0.97, selfieFaces: 1, documentFaces: 1, notes: [] };
    const transaction = await startTransaction();
    await transaction.requestLink('a', { ...linkOptions, facePolicy: { approve: { similarity: 0.9, liveness: 0.9 } } });
    await sendSteps(transaction, allSteps);
    await world.env.sleep('1m');
    expect(readRecord(transaction)?.biometrics?.at(-1)?.decision?.by).toBe('policy');
    expect(decisionMessages(transaction)).toHaveLength(2);
  });
});

describe('a face verifier', () => {
  const faceFindings = { similarity: 0.95, liveness: 0.97, selfieFaces: 1, documentFaces: 1, notes: ['v1'] };
  const approve = { similarity: 0.9, liveness: 0.9 };
  const waitForFindings = async (transaction: TestTransaction) => {
    // The service answers the action `submit` before it has the findings.
    for (let attempt = 0; attempt < 50 && !readRecord(transaction)?.biometrics?.at(-1)?.faces; attempt += 1)
      await new Promise((resolve) => setTimeout(resolve, 50));
    return readRecord(transaction)?.biometrics?.at(-1);
  };
  /** Lets time pass until the verification has ended, with or without findings, and at most for the given number of minutes. */
  const sleepUntilVerified = async (transaction: TestTransaction, minutesMax: number) => {
    for (let minute = 0; minute < minutesMax && !readRecord(transaction)?.biometrics?.at(-1)?.verifiedAt; minute += 1)
      await world.env.sleep('1m');
    return readRecord(transaction);
  };
  beforeEach(() => {
    world.activities.faceFindings = faceFindings;
    world.activities.imagesSentToVerifier.length = 0;
  });

  test('a face verifier is called only for a link with a face policy', async () => {
    const transaction = await startTransaction();
    await transaction.requestLink('a');
    await sendSteps(transaction, allSteps);
    await world.env.sleep('1m');
    expect(world.activities.imagesSentToVerifier).toEqual([]);
  });

  test('if the face policy is empty, the findings of a face verifier are saved for the reviewer, and the reviewer decides', async () => {
    const transaction = await startTransaction();
    await transaction.requestLink('a', { facePolicy: {} });
    await sendSteps(transaction, allSteps);
    expect(await waitForFindings(transaction)).toMatchObject({ status: 'Processing', faces: faceFindings });
    expect(world.activities.imagesSentToVerifier).toEqual([
      { tenant: 'local', transactionId: transaction.id, selfie: 'i', documentFront: 'i' },
    ]);
  });

  test('a link is approved if the findings about faces meet the policy, and otherwise the reviewer decides', async () => {
    const transaction = await startTransaction();
    await transaction.requestLink('a', { facePolicy: { approve } });
    await sendSteps(transaction, allSteps);
    expect(await waitForFindings(transaction)).toMatchObject({ status: 'Approved', decision: { by: 'policy' } });
    expect(readRecord(transaction)?.scores.at(-1)?.reason).toBe('BiometricsChecked');
    world.activities.faceFindings = { ...faceFindings, liveness: 0.89 };
    const other = await startTransaction();
    await other.requestLink('a', { facePolicy: { approve } });
    await sendSteps(other, allSteps);
    expect(await waitForFindings(other)).toMatchObject({ status: 'Processing' });
  });

  test('a face verifier is not called again when the transaction resumes, even if the first call returned no findings', async () => {
    world.activities.faceFindings = null;
    const transaction = await startTransaction();
    await transaction.requestLink('a', { facePolicy: {} });
    await sendSteps(transaction, allSteps);
    await world.env.sleep('25h');
    expect(readRecord(transaction)?.biometrics?.at(-1)?.verifiedAt).toBeDefined();
    await world.resumeByRequest(transaction, smsToken);
    await world.env.sleep('1m');
    expect(world.activities.imagesSentToVerifier).toHaveLength(1);
  });

  test('if the face verifier was not called before the transaction closed, it is called when the transaction resumes', async () => {
    const transaction = await startTransaction();
    await transaction.requestLink('a', { facePolicy: {} });
    await sendSteps(transaction, allSteps);
    await waitForFindings(transaction);
    await world.env.sleep('25h');
    const state = readRecord(transaction);
    if (!state?.biometrics) throw new Error('There is no record.');
    const biometrics = state.biometrics.map((link) => {
      const withoutVerification = { ...link };
      delete withoutVerification.verifiedAt;
      return withoutVerification;
    });
    world.activities.records.set(transaction.id, { ...state, biometrics });
    world.activities.imagesSentToVerifier.length = 0;
    await world.resumeByRequest(transaction, smsToken);
    await world.env.sleep('1m');
    expect(world.activities.imagesSentToVerifier).toHaveLength(1);
  });

  test('after an outage of an hour, the face verifier is not asked any more, and the transaction is not due', async () => {
    world.activities.faceOutages = 1_000;
    const transaction = await startTransaction();
    await transaction.requestLink('a', { facePolicy: { approve } });
    await sendSteps(transaction, allSteps);
    await world.env.sleep('50m');
    const record = await sleepUntilVerified(transaction, 15);
    world.activities.faceOutages = 0;
    expect(record?.biometrics?.at(-1)).toMatchObject({ status: 'Processing', verifiedAt: expect.any(String) });
    expect(record && dueAtOf(record)).toBeUndefined();
    await world.env.sleep('25h');
    await world.resumeByRequest(transaction, smsToken);
    await world.env.sleep('1m');
    expect(world.activities.imagesSentToVerifier).toEqual([]);
  });

  test('a workflow that continues after this hour asks the face verifier once more', async () => {
    const transaction = await startTransaction();
    await transaction.requestLink('a', { facePolicy: {} });
    await sendSteps(transaction, allSteps);
    await waitForFindings(transaction);
    await world.env.sleep('25h');
    const record = readRecord(transaction);
    const [link] = record?.biometrics ?? [];
    if (!record || !link) throw new Error('There is no link.');
    const { verifiedAt: _, faces: __, ...unverifiedLink } = link;
    world.activities.records.set(transaction.id, { ...record, biometrics: [unverifiedLink] });
    world.activities.faceOutages = 1_000;
    await world.resumeByRequest(transaction, smsToken);
    const verified = await sleepUntilVerified(transaction, 10);
    world.activities.faceOutages = 0;
    expect(verified?.biometrics?.[0]?.verifiedAt).toBeDefined();
  });

  test('during an outage of the face verifier, the service repeats its request only until a reviewer decides', async () => {
    world.activities.faceOutages = 3;
    const transaction = await startTransaction();
    await transaction.requestLink('a', { facePolicy: { approve } });
    await sendSteps(transaction, allSteps);
    await transaction.decide('a', 'Rejected');
    await world.env.sleep('5m');
    expect(world.activities.imagesSentToVerifier).toEqual([]);
    expect(readRecord(transaction)?.biometrics?.at(-1)).toMatchObject({
      status: 'Rejected',
      decision: { by: 'reviewer-1' },
    });
  });
});

test('a transaction keeps running while it has an open link, and the link is Abandoned at the end of its lifetime', async () => {
  const transaction = await startTransaction();
  await transaction.requestLink('a', { expiresAfterMs: 3 * 86_400_000 });
  await world.env.sleep('49h');
  expect((await transaction.handle.describe()).status.name).toBe('RUNNING');
  await transaction.sendPageAction('a', 'mine', { action: 'open' });
  await world.env.sleep('24h');
  expect(readRecord(transaction)?.biometrics?.[0]?.status).toBe('Abandoned');
});

describe('an erasure of images', () => {
  test('an erasure of images cancels the open review of the images', async () => {
    const transaction = await startTransaction();
    await transaction.requestLink('a');
    await sendSteps(transaction, allSteps);
    let status: unknown;
    world.activities.beforeErasing = () => {
      status = readRecord(transaction)?.biometrics?.[0]?.status;
    };
    const answer = await transaction.eraseImages('client-7');
    world.activities.beforeErasing = () => undefined;
    // The link closes before the images are erased, so the API accepts no more images.
    expect(status).toBe('Canceled');
    expect(world.activities.erasures.at(-1)).toEqual({
      tenant: 'local',
      transactionId: transaction.id,
      erasedAt: answer.erasedAt,
      actor: 'client-7',
    });
    expect(readRecord(transaction)?.biometrics).toMatchObject([
      { status: 'Canceled', captures: {}, erasedAt: answer.erasedAt },
    ]);
    expect(await rejectionOf(transaction.decide('a', 'Approved'))).toMatchObject({ type: 'NotInReview' });
  });

  test('an erasure of images keeps decisions, and closes an open link', async () => {
    const transaction = await startTransaction();
    await transaction.requestLink('a');
    await sendSteps(transaction, allSteps);
    await transaction.decide('a', 'Approved');
    await transaction.requestLink('b');
    await openLink(transaction, 'b');
    await transaction.eraseImages();
    expect(readRecord(transaction)?.biometrics?.map(({ status }) => status)).toEqual(['Approved', 'Canceled']);
    expect(await rejectionOf(transaction.sendPageAction('b', 'mine', { action: 'consent' }))).toMatchObject({
      type: 'LinkClosed',
    });
  });

  test('an erasure of images is rejected for a transaction without a link', async () => {
    expect(await rejectionOf((await startTransaction()).eraseImages())).toMatchObject({ type: 'BiometricsNotFound' });
  });
});

const openLink = (transaction: TestTransaction, id: string) =>
  transaction.sendPageAction(id, 'mine', { action: 'open' });
