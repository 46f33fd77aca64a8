import { Semaphore } from 'async-mutex';
import { type TestDestination, testDestinations, testDocuments } from '../../../messages/test-mode';
import { waitUntil } from '../../support/wait-until';
import { createCpf } from '../support/create-cpf';
import { expectProblem } from '../support/expect-problem';
import { type Link, submitImages } from '../support/biometrics-link';
import { newPerson } from '../support/new-person';
import type { GetTestStack } from '../support/test-stack';

/** A reply comes 4 s after the message, and the API looks for replies every 2 s. A busy machine needs longer. */
const happensWithinMs = 20_000;
const testTimeoutMs = 40_000;
/** With more cases at the same time, the service could return 503 on a busy machine. */
const casesAtOnce = 2;

interface Entry {
  type: string;
  data?: object;
  message?: { providerId?: string; providerStatus?: string; providerError?: string };
}

/** Phone and mailbox are test values. */
function personWith({ phone, mailbox = 'valid@countersign.test' }: TestDestination, document = createCpf(8)) {
  const number = Number(phone.slice('+5511'.length));
  return { ...newPerson().body, document, email: mailbox, phone: { countryCode: 55, areaCode: 11, number } };
}

const destinations: Record<keyof typeof testDestinations, TestDestination> = testDestinations;

/** `next`: the step after the right code. */
const codeStep = (channel: 'sms' | 'email', next: string) => ({
  kind: 'confirm',
  channel,
  ask: 'token',
  template: `${channel}-token`,
  expiresAfterSeconds: 300,
  sendLimit: 1,
  resendAfterSeconds: 60,
  attemptLimit: 3,
  codeDigits: 7,
  resend: 'reuse',
  exits: { Valid: next, Expired: 'lost', Blocked: 'lost', Failed: 'lost' },
});

/** The API computes the code of the first step, and the worker computes the code of the second step. */
const twoCodes = {
  title: 'Codes by SMS and e-mail',
  start: 'phone',
  steps: {
    phone: codeStep('sms', 'mailbox'),
    mailbox: codeStep('email', 'done'),
    done: { kind: 'outcome', outcome: 'Done' },
    lost: { kind: 'outcome', outcome: 'Lost' },
  },
};

/** Every row of the table in docs/test-mode.md. */
export function describeTestMode(getTestStack: GetTestStack): void {
  const api = () => getTestStack().api;

  const create = (name: keyof typeof testDestinations) => api().createTransaction(personWith(destinations[name]));

  const request = async (path: string, suffix: string) => {
    const response = await api().post(`${path}/${suffix}`);
    expect([suffix, response.status]).toEqual([suffix, 201]);
  };

  const validate = async (path: string, channel: string, value = '000000') => {
    const { body } = await api().post(`${path}/${channel}/tokens/validate`, { body: { value } });
    return (body as { status: string }).status;
  };

  const readTimeline = async (path: string) =>
    (
      (await api().get(`${path.replace('/v1/transaction/', '/v1/transactions/')}/timeline`)).body as {
        entries: Entry[];
      }
    ).entries;

  const waitForEvent = (path: string, type: string) =>
    waitUntil(async () => (await readTimeline(path)).find((entry) => entry.type === type), happensWithinMs);

  const readStatus = async (path: string) => (await api().get(`${path}/all`)).headers.get('x-countersign-status');

  /**
   * Requests six confirmations at the same time with the same phone and mailbox. Each reply must reach the transaction that asked the
   * question. `status`: the status after the reply.
   */
  const expectReplies = async (name: 'yes' | 'no', status: string): Promise<void> => {
    const suffixes = ['sms/2fa', 'whatsapps/2fa', 'emails/2fa', 'sms/2fa', 'whatsapps/2fa', 'emails/2fa'];
    await Promise.all(
      suffixes.map(async (suffix) => {
        const path = await create(name);
        await request(path, suffix);
        await waitForEvent(path, 'confirmation.replied');
        expect(await readStatus(path)).toBe(status);
        const [newest] = (await api().get(`${path}/${suffix}`)).body as { status: string; reply?: object }[];
        expect(newest?.status).toBe('Replied');
      }),
    );
  };

  const expectExpiry = async (channel: 'sms' | 'emails'): Promise<void> => {
    const path = await create('expired');
    await request(path, `${channel}/tokens`);
    await waitForEvent(path, 'confirmation.expired');
    expect(await validate(path, channel)).toBe('Expired');
  };

  const expectDecision = async ({ document, review }: { document: string; review: string }): Promise<void> => {
    const path = await api().createTransaction(newPersonWith(document));
    const { url } = (await api().post(`${path}/biometrics`)).body as Link;
    await submitImages(url);
    expect((await api().getAll(path)).biometrics?.status).toBe('Processing');
    await waitUntil(async () => (await api().getAll(path)).biometrics?.status === review, happensWithinMs);
    const decided = (await readTimeline(path)).find(({ type }) => type === 'biometrics.decided');
    expect(decided?.data).toMatchObject({ outcome: review, by: 'test-mode' });
  };

  /** Declares one test for each case. The cases run in the background, `casesAtOnce` at a time. */
  const testConcurrently = (cases: Readonly<Record<string, () => Promise<void>>>): void => {
    let results: Map<string, Promise<void>>;
    beforeAll(() => {
      const slots = new Semaphore(casesAtOnce);
      results = new Map(Object.entries(cases).map(([name, run]) => [name, slots.runExclusive(run)]));
      // If a case fails before its test starts, the error must not stop the process as an unhandled rejection. The test reports the error.
      for (const result of results.values()) result.catch(() => undefined);
    });
    for (const name of Object.keys(cases)) it(name, async () => results.get(name), testTimeoutMs);
  };

  describe('test mode', () => {
    it('every answer has the header of test mode', async () => {
      for (const path of ['/v1/transactions?limit=1', '/v1/unknown', '/openapi.json'])
        expect((await api().get(path)).headers.get('x-countersign-test-mode')).toBe('true');
    });

    it('a test phone and a test mailbox have the code 000000 and no daily limits, and the inbox shows their messages', async () => {
      const { inbox } = getTestStack();
      const messagesBefore = (await inbox.readMessages(testDestinations.valid.phone)).length;
      // More than each daily limit of a phone: 5 messages in a tenant, 20 messages over all tenants, and 20 wrong codes.
      for (let round = 0; round < 22; round += 1) {
        const path = await create('valid');
        await request(path, 'sms/tokens');
        expect(await validate(path, 'sms', '111111')).toBe('Invalid');
        expect(await validate(path, 'sms')).toBe('Valid');
      }
      const path = await create('valid');
      const insights = (await api().getAll(path)).insights.map(({ code }) => code);
      // PH004 and EM004 say that many documents have the same phone or mailbox. The service does not give these insights for test values.
      for (const code of ['PH004', 'EM004']) expect(insights).not.toContain(code);
      await request(path, 'emails/tokens');
      expect(await validate(path, 'emails')).toBe('Valid');
      expect(await readStatus(path)).toBe('Confirmed');
      expect(await inbox.readMessages(testDestinations.valid.phone)).toHaveLength(messagesBefore + 22);
      expect(await inbox.waitForCode(testDestinations.valid.phone, 'sms')).toBe('000000');
      expect(await inbox.waitForCode('valid@countersign.test', 'email')).toBe('000000');
    });

    it('a test mailbox can also be confirmed by the button in its mail', async () => {
      const path = await api().createTransaction({
        ...personWith(destinations.valid),
        email: 'valid+button@countersign.test',
      });
      await request(path, 'emails/tokens');
      const link = await getTestStack().inbox.waitForLink('valid+button@countersign.test');
      const page = await fetch(link, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: 'action=confirm',
      });
      expect(page.status).toBe(200);
      expect(((await api().get(`${path}/emails/tokens`)).body as { status: string }).status).toBe('Valid');
    });

    // The two cases with `expectReplies` send the most requests. Other cases are between them, so that these two do not run at the same
    // time.
    testConcurrently({
      'a test phone does not get its message, and the timeline has the error of the carrier': async () => {
        const { inbox } = getTestStack();
        const path = await create('undelivered');
        await request(path, 'sms/tokens');
        await waitForEvent(path, 'confirmation.failed');
        const sent = (await readTimeline(path)).find(({ type }) => type === 'confirmation.sent');
        expect(sent?.message).toMatchObject({ providerStatus: 'undelivered', providerError: '30005' });
        expect(await readStatus(path)).toBe('Undeliverable');
        expect(await inbox.readMessages(testDestinations.undelivered.phone)).toEqual([]);
      },
      'a test phone and a test mailbox reply yes': () => expectReplies('yes', 'Confirmed'),
      'a test phone and a test mailbox never reply': async () => {
        const path = await create('silent');
        await request(path, 'sms/2fa');
        await request(path, 'emails/2fa');
        await waitForEvent(path, 'confirmation.delivered');
        // A reply would come within 7 s.
        await new Promise((resolve) => setTimeout(resolve, 7_000));
        expect((await readTimeline(path)).map(({ type }) => type)).not.toContain('confirmation.replied');
        expect(await readStatus(path)).toBe('Open');
      },
      'the code of a test phone expires after 5 s': () => expectExpiry('sms'),
      'a test phone and a test mailbox reply no': () => expectReplies('no', 'Denied'),
      'the code of a test mailbox expires after 5 s': () => expectExpiry('emails'),
      'the images of a test document are approved': () => expectDecision(testDocuments.approved),
      'the images of a test document are rejected': () => expectDecision(testDocuments.rejected),
      'the images of a test document get the decision Inconclusive': () => expectDecision(testDocuments.inconclusive),
    });

    it.each(['sms', 'emails'])(
      'the first wrong code blocks the token of the test value `blocked` (%s)',
      async (channel) => {
        const path = await create('blocked');
        await request(path, `${channel}/tokens`);
        expect(await validate(path, channel, '111111')).toBe('Blocked');
        expect(await validate(path, channel)).toBe('Blocked');
      },
    );

    it.each([
      ['rejected', 'sms/tokens', 422, 'destination_refused', '21211'],
      ['rejected', 'whatsapps/2fa', 422, 'destination_refused', '21211'],
      ['rejected', 'emails/tokens', 422, 'destination_refused', '550'],
      ['optedOut', 'sms/2fa', 422, 'destination_opted_out', '21610'],
      ['limit', 'sms/tokens', 429, 'phone_daily_limit', ''],
      ['limit', 'emails/tokens', 429, 'email_daily_limit', ''],
    ] as const)(
      'the test value "%s" makes POST %s return an error',
      async (name, suffix, status, code, providerCode) => {
        const path = await create(name);
        const response = await api().post(`${path}/${suffix}`);
        expectProblem(response, status, code);
        expect((response.body as { detail: string }).detail).toContain(providerCode);
      },
    );

    it('the test landline gets no SMS', async () => {
      const path = await api().createTransaction(personWith({ phone: '+551120000000' }));
      expectProblem(await api().post(`${path}/sms/tokens`), 422, 'destination_not_mobile');
    });

    it.each([
      [testDocuments.highScore.document, 100],
      [testDocuments.lowScore.document, 0],
    ])('the test document %s has the score %i, however often it is used', async (document, score) => {
      const scores: number[] = [];
      for (let round = 0; round < 4; round += 1) {
        const path = await api().createTransaction(newPersonWith(document));
        scores.push((await api().getAll(path)).scores[0]?.value ?? Number.NaN);
      }
      expect(scores).toEqual([score, score, score, score]);
    });

    it('test values work in each step of a flow', async () => {
      await api().request('PUT', '/v1/flows/phone-and-email', { body: twoCodes });
      await api().post('/v1/flows/phone-and-email/activate', { body: { version: 1 } });
      const path = await create('valid');
      const { runId } = (await api().post(`${path}/flows/phone-and-email`)).body as { runId: string };
      const answer = async () => {
        const { body } = await api().post(`${path}/flows/runs/${runId}/answer`, { body: { value: '0000000' } });
        return body as { status: string; run: { outcome?: string } };
      };
      expect((await answer()).status).toBe('Valid');
      await waitUntil(async () => {
        const { body } = await api().get(`${path}/flows/runs/${runId}`);
        return (body as { awaited?: { channel?: string } }).awaited?.channel === 'email';
      });
      expect(await answer()).toMatchObject({ status: 'Valid', run: { outcome: 'Done' } });
    });
  });
}

/** An ordinary phone and mailbox, with a test document. */
const newPersonWith = (document: string) => ({ ...newPerson().body, document });
