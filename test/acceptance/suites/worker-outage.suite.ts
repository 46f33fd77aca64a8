import { randomUUID } from 'node:crypto';
import type { GetTestStack } from '../support/test-stack';
import { expectProblem } from '../support/expect-problem';
import { retryWhileUnavailable } from '../support/retry-while-unavailable';
import { newPerson } from '../support/new-person';
import { waitUntil } from '../../support/wait-until';

/** The limit for every response while no worker runs. */
const respondsWithinMs = 5_000;

const sourceHeader = 'x-countersign-source';

/** Without a worker, callers can create and read transactions. A send returns 503 in time, and can be repeated later. */
export function describeWorkerOutage(getTestStack: GetTestStack): void {
  describe('without any worker', () => {
    const [earlierPerson, laterPerson] = [newPerson(), newPerson()];
    const key = randomUUID();
    let earlierPath = '';
    let path = '';

    beforeAll(async () => {
      const { api, stack } = getTestStack();
      earlierPath = await api.createTransaction(earlierPerson.body);
      await api.getAll(earlierPath);
      await stack.stop('worker');
    });
    // The next suites need a worker, even if a test of this suite fails.
    afterAll(() => getTestStack().stack.start('worker'), 30_000);

    it('a transaction can be created and read without a worker', async () => {
      const { api } = getTestStack();
      path = await api.createTransaction(laterPerson.body);
      const response = await api.get(path);
      expect([response.status, response.headers.get(sourceHeader)]).toEqual([200, 'record']);
      expect(response.body).toMatchObject({ document: laterPerson.body.document, verifiedEmail: false });
      const all = await api.get(`${path}/all`);
      expect(all).toMatchObject({ status: 200, body: { scores: [{ reason: 'Initial' }] } });
      expect(all.durationMs).toBeLessThan(respondsWithinMs);
    });

    it('an earlier transaction is read from its record without a worker', async () => {
      const { api } = getTestStack();
      const response = await api.get(`${earlierPath}/all`);
      expect([response.status, response.headers.get(sourceHeader)]).toEqual([200, 'record']);
      expect((response.body as { scores: object[] }).scores).toMatchObject([{ reason: 'Initial' }]);
      expect((await api.get(`${earlierPath}/whatsapps/2fa`)).status).toBe(204);
    });

    it('without a worker, a send and a validation return 503 with Retry-After in time', async () => {
      const { api } = getTestStack();
      const sendResponse = await api.post(`${path}/sms/tokens`, { key });
      expectProblem(sendResponse, 503, 'service_unavailable');
      const validateResponse = await api.post(`${path}/sms/tokens/validate`, { body: { value: '123456' } });
      expectProblem(validateResponse, 503, 'service_unavailable');
      expect(Math.max(sendResponse.durationMs, validateResponse.durationMs)).toBeLessThan(respondsWithinMs);
    });

    it('the transaction continues when a worker is back, and the retried send gives only one message', async () => {
      const { api, inbox, stack } = getTestStack();
      await stack.start('worker');
      const retriedSend = await retryWhileUnavailable(() => api.post(`${path}/sms/tokens`, { key }));
      expect(retriedSend).toMatchObject({ status: 201, body: { status: 'Waiting' } });
      expect(await inbox.readMessages(laterPerson.phone)).toHaveLength(1);
      const value = await inbox.waitForCode(laterPerson.phone, 'sms');
      const response = await api.post(`${path}/sms/tokens/validate`, { body: { value } });
      expect(response).toMatchObject({ status: 200, body: { status: 'Valid' } });
      // After a failed read from a workflow, the API does not read from workflows for one second.
      await waitUntil(async () => (await api.get(path)).headers.get(sourceHeader) === 'workflow');
    });
  });
}
