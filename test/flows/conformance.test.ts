import { type ConfirmationSettings, tokenTypes } from '../../domain/confirmations/settings';
import type { MessageView, TransactionView, WhatsappView } from '../../domain/transactions/views';
import { confirmations } from '../../flows/confirmations';
import { addMs } from '../support/build';
import { rejectionOf } from '../support/rejection-of';
import { replay } from '../support/replay';
import { type TestTransaction, World } from '../support/world';

/** A token without an endpoint to read it is in the list of confirmations. */
function summaryOf(settings: ConfirmationSettings, { confirmations: summaries }: TransactionView) {
  const summary = summaries.findLast(({ name }) => name === settings.name);
  if (!summary) return undefined;
  const { status, createdAt, expiresAt } = summary;
  return { status, type: tokenTypes[settings.channel], createdAt, expirationTime: expiresAt };
}

/** The newest entry is first. A token has one entry, a second factor one for each change. */
function entriesOf(settings: ConfirmationSettings, view: TransactionView): { status: string }[] {
  if (settings.kind === 'token') {
    const token = {
      sms: view.smsToken,
      email: view.emailToken,
      whatsapp: summaryOf(settings, view),
      voice: summaryOf(settings, view),
    }[settings.channel];
    return token ? [token] : [];
  }
  if (settings.channel === 'whatsapp') return view.whatsappMessages ?? [];
  return settings.channel === 'email' ? view.emailMessages : view.smsMessages;
}

const readStatuses = async (settings: ConfirmationSettings, transaction: TestTransaction) =>
  entriesOf(settings, await transaction.readView()).map(({ status }) => status);
const readStatus = async (settings: ConfirmationSettings, transaction: TestTransaction) =>
  (await readStatuses(settings, transaction))[0];
const wrongCodeFor = (right: string) => right.replace(/^./, (digit) => String((Number(digit) + 1) % 10));

let world: World;
beforeAll(async () => {
  world = await World.open();
});
afterAll(() => world.close());

describe.each(confirmations.map((settings) => [settings.name, settings] as const))('%s', (_, settings) => {
  const isToken = settings.kind === 'token';

  test('send: one message goes to the phone or mailbox, and the view has the confirmation', async () => {
    const transaction = await world.createTransaction();
    const entry = await transaction.request(settings);
    expect(transaction.messages()).toHaveLength(1);
    const destination = settings.channel === 'email' ? 'maria.silva@example.com' : '+5511987654321';
    expect(transaction.lastMessage()).toMatchObject({
      destination,
      expiresAt: addMs(readCreatedAt(entry), settings.expiresAfterMs),
    });
    expect(entry.status).toBe(settings.channel === 'email' && !isToken ? 'Sent' : 'Waiting');
    expect(entriesOf(settings, await transaction.readView())[0]).toEqual(entry);
  });

  test('resend: a request is rejected when it is too soon, and accepted later until the send limit', async () => {
    const transaction = await world.createTransaction();
    await transaction.request(settings);
    const rejection = await rejectionOf(transaction.request(settings));
    expect(rejection.type).toBe('ResendTooSoon');
    expect(rejection.details.retryAfterSeconds).toBeGreaterThan(0);
    for (let send = 2; send <= settings.sendLimit; send += 1) {
      await world.env.sleep(settings.resendAfterMs);
      await transaction.request(settings);
    }
    await world.env.sleep(settings.resendAfterMs);
    expect((await rejectionOf(transaction.request(settings))).type).toBe('SendLimitReached');
    expect(transaction.messages()).toHaveLength(settings.sendLimit);
    const confirmations = new Set(transaction.messages().map((message) => message.confirmationOrLinkId));
    expect(confirmations.size).toBe(settings.resend === 'rotate' ? settings.sendLimit : 1);
  });

  test('expire: the status is Expired after the lifetime, and no answer changes it any more', async () => {
    const transaction = await world.createTransaction();
    await transaction.request(settings);
    await world.env.sleep(settings.expiresAfterMs + 1_000);
    expect(await readStatus(settings, transaction)).toBe('Expired');
    expect(world.activities.records.get(transaction.id)?.confirmations[0]?.status).toBe('Expired');
    const before = await transaction.readView();
    if (isToken) {
      const rejection = await rejectionOf(transaction.answer(settings, transaction.codeOfLastMessage(settings)));
      expect(rejection).toMatchObject({ type: 'TokenClosed', details: { about: { status: 'Expired' } } });
    } else {
      expect(
        (await rejectionOf(transaction.reply(transaction.lastMessage().confirmationOrLinkId, { option: 1 }))).type,
      ).toBe('ReplyRefused');
    }
    expect(await transaction.readView()).toEqual(before);
  });

  test('wrong: a wrong answer changes only the count of attempts', async () => {
    const transaction = await world.createTransaction();
    await transaction.request(settings);
    if (isToken) {
      const answer = await transaction.answer(settings, wrongCodeFor(transaction.codeOfLastMessage(settings)));
      expect(answer).toMatchObject({ status: 'Invalid', attemptsRemaining: (settings.attemptLimit ?? 0) - 1 });
      expect(await readStatus(settings, transaction)).toBe('Waiting');
    } else {
      const before = await transaction.readView();
      const reply = transaction.reply(transaction.lastMessage().confirmationOrLinkId, { text: 'quem é?' });
      expect((await rejectionOf(reply)).type).toBe('ReplyRefused');
      expect(await transaction.readView()).toEqual(before);
    }
  });

  test('right: the confirmation ends, the phone or mailbox is confirmed, and a score is appended', async () => {
    const transaction = await world.createTransaction();
    await transaction.request(settings);
    if (isToken)
      expect((await transaction.answer(settings, transaction.codeOfLastMessage(settings))).status).toBe('Valid');
    else
      await transaction.reply(
        transaction.lastMessage().confirmationOrLinkId,
        settings.channel === 'sms' ? { text: ' Sim! ' } : { option: 1 },
      );
    const view = await transaction.readView();
    expect(entriesOf(settings, view)[0]?.status).toBe(isToken ? 'Valid' : 'Replied');
    expect(view.scores.map(({ reason }) => reason)).toEqual(['Initial', settings.confirms.scoreReason]);
    if (settings.confirms.fact === 'phone') expect(view.transaction['phone']).toMatchObject({ verified: true });
    else expect(view.transaction['verifiedEmail']).toBe(true);
    if (!isToken) {
      const [repliedEntry] = entriesOf(settings, view) as (MessageView | WhatsappView)[];
      expect(repliedEntry?.text).toBe(settings.channel === 'sms' ? 'Sim!' : 'SIM');
    }
  });

  test('limits: a token blocks after its last attempt, and a second factor accepts only one reply', async () => {
    const transaction = await world.createTransaction();
    await transaction.request(settings);
    if (!isToken) {
      const { confirmationOrLinkId: confirmationId } = transaction.lastMessage();
      await transaction.reply(confirmationId, { option: 2 });
      expect((await rejectionOf(transaction.reply(confirmationId, { option: 1 }))).type).toBe('ReplyRefused');
      const [score] = (await transaction.readView()).scores.slice(-1);
      expect(score?.value).toBeLessThan(10);
      return;
    }
    const limit = settings.attemptLimit ?? 0;
    const answerStatuses = [];
    for (let attempt = 1; attempt <= limit; attempt += 1)
      answerStatuses.push(
        (await transaction.answer(settings, wrongCodeFor(transaction.codeOfLastMessage(settings)))).status,
      );
    expect(answerStatuses).toEqual([...Array<string>(limit - 1).fill('Invalid'), 'Blocked']);
    const rejection = await rejectionOf(transaction.answer(settings, transaction.codeOfLastMessage(settings)));
    expect(rejection.details.about?.status).toBe('Blocked');
    expect(await readStatus(settings, transaction)).toBe('Blocked');
  });

  test('late callback: a delivery status never changes a status back to an earlier one', async () => {
    const transaction = await world.createTransaction();
    await transaction.request(settings);
    const { sendId, confirmationOrLinkId: confirmationId } = transaction.lastMessage();
    for (const deliveryStatus of ['delivered', 'sent', 'delivered', 'read', 'accepted', 'sent'] as const)
      await transaction.sendDeliveryStatus(sendId, deliveryStatus);
    const expected = {
      sms: ['Delivered', 'Waiting'],
      whatsapp: ['Read', 'Sent', 'Waiting'],
      email: ['Sent'],
      voice: [],
    }[settings.channel];
    expect(await readStatuses(settings, transaction)).toEqual(isToken ? ['Waiting'] : expected);
    if (isToken) await transaction.answer(settings, transaction.codeOfLastMessage(settings));
    else await transaction.reply(confirmationId, { option: 1 });
    const closed = await transaction.readView();
    for (const deliveryStatus of ['failed', 'delivered', 'read'] as const)
      await transaction.sendDeliveryStatus(sendId, deliveryStatus);
    const { changedAt } = await transaction.readView();
    expect(await transaction.readView()).toEqual({ ...closed, changedAt });
  });

  test('replay: a worker can rebuild a complete transaction from its history', async () => {
    const transaction = await world.createTransaction();
    await transaction.request(settings);
    if (isToken) await transaction.answer(settings, transaction.codeOfLastMessage(settings));
    else await transaction.reply(transaction.lastMessage().confirmationOrLinkId, { option: 1 });
    await expect(replay(await transaction.fetchHistory())).resolves.toBeUndefined();
  });

  test('record: the record in the database equals the view of the workflow after every change', async () => {
    const transaction = await world.createTransaction();
    await world.waitForAssessment(transaction);
    const expectAgreement = async () => {
      const now = await world.now();
      const record = world.activities.records.get(transaction.id);
      expect(record && world.viewOf(record, now)).toEqual(await transaction.readView());
    };
    await transaction.request(settings);
    await expectAgreement();
    if (isToken) {
      await transaction.answer(settings, wrongCodeFor(transaction.codeOfLastMessage(settings)));
      await expectAgreement();
      await transaction.answer(settings, transaction.codeOfLastMessage(settings));
    } else {
      await transaction.sendDeliveryStatus(transaction.lastMessage().sendId, 'delivered');
      await transaction.reply(transaction.lastMessage().confirmationOrLinkId, { option: 2 });
    }
    await expectAgreement();
  });
});

function readCreatedAt(answer: { createdAt: string }): string {
  return answer.createdAt.endsWith('Z') ? answer.createdAt : `${answer.createdAt}Z`;
}
