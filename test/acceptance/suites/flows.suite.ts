import { randomUUID } from 'node:crypto';
import type { RunView } from '../../../domain/flows/view-run';
import type { GetTestStack } from '../support/test-stack';
import { expectProblem } from '../support/expect-problem';
import { newPerson } from '../support/new-person';
import { waitUntil } from '../../support/wait-until';

const runOf = (response: { body: unknown }) => response.body as RunView;

const whatsappFlow = {
  title: 'A question on WhatsApp, else a code by SMS',
  start: 'question',
  steps: {
    question: {
      kind: 'confirm',
      channel: 'whatsapp',
      ask: 'reply',
      template: 'whatsapp-2fa',
      expiresAfterSeconds: 60,
      sendLimit: 1,
      resendAfterSeconds: 60,
      exits: { Yes: 'tell', No: 'denied', Expired: 'code', Failed: 'code' },
    },
    code: {
      kind: 'confirm',
      channel: 'sms',
      ask: 'token',
      template: 'sms-token',
      expiresAfterSeconds: 300,
      sendLimit: 2,
      resendAfterSeconds: 60,
      attemptLimit: 3,
      codeDigits: 6,
      resend: 'reuse',
      exits: { Valid: 'tell', Expired: 'lost', Blocked: 'denied', Failed: 'lost' },
    },
    tell: {
      kind: 'notify',
      event: 'sign-up.confirmed',
      giveUpAfterSeconds: 60,
      exits: { Delivered: 'judge', Failed: 'judge' },
    },
    judge: {
      kind: 'decide',
      rules: [
        { when: "exits['code'] == 'Valid'", then: 'by-code', because: 'the code came back' },
        { when: 'transaction.hasEmail && score >= 0.0', then: 'by-reply' },
      ],
      else: 'lost',
    },
    'by-code': { kind: 'outcome', outcome: 'ConfirmedByCode' },
    'by-reply': { kind: 'outcome', outcome: 'ConfirmedByReply' },
    denied: { kind: 'outcome', outcome: 'Denied' },
    lost: { kind: 'outcome', outcome: 'Lost' },
  },
} as const;

/** Flows from definition to outcome, through the API only. */
export function describeFlows(getTestStack: GetTestStack): void {
  describe('flows', () => {
    it('a flow sends a code by SMS as POST …/sms/tokens does, and the flow run shows its steps', async () => {
      const { api, inbox } = getTestStack();
      const { body, phone } = newPerson();
      const path = await api.createTransaction(body);
      const startResponse = await api.post(`${path}/flows/sms-token`, { key: 'a' });
      expect(startResponse.status).toBe(201);
      const run = runOf(startResponse);
      expect(run).toMatchObject({ flow: 'sms-token', step: 'code', awaited: { kind: 'token', channel: 'sms' } });
      expect(runOf(await api.post(`${path}/flows/sms-token`, { key: 'a' })).runId).toBe(run.runId);
      for (const blockedPath of ['flows/sms-token', 'sms/tokens']) {
        const response = await api.post(`${path}/${blockedPath}`);
        expectProblem(response, 409, 'flow_running', [], ['runId', 'flow', 'channel']);
        expect(response.body).toMatchObject({ runId: run.runId, flow: 'sms-token', channel: 'sms' });
      }
      const runPath = `${path}/flows/runs/${run.runId}`;
      expect(startResponse.headers.get('location')).toBe(runPath);
      const code = await inbox.waitForCode(phone, 'sms');
      const wrongResponse = await api.post(`${runPath}/answer`, {
        body: { value: code === '000000' ? '111111' : '000000' },
      });
      expect(wrongResponse.body).toMatchObject({ status: 'Invalid', run: { status: 'Running' } });
      expect(wrongResponse.headers.get('x-attempts-remaining')).toBe('4');
      const rightResponse = await api.post(`${runPath}/answer`, { body: { value: code } });
      expect(rightResponse.body).toMatchObject({ status: 'Valid', run: { status: 'Completed', outcome: 'Confirmed' } });
      expect(runOf(await api.get(runPath)).path.map(({ step, exit }) => [step, exit])).toEqual([
        ['code', 'Valid'],
        ['confirmed', undefined],
      ]);
      expect((await api.getAll(path)).smsToken?.status).toBe('Valid');
      const repeatResponse = await api.post(`${runPath}/answer`, { body: { value: code } });
      expect(repeatResponse).toMatchObject({ status: 200, body: { status: 'Used', run: { outcome: 'Confirmed' } } });
      expectProblem(await api.post(`${runPath}/answer`, { body: { value: '12345678' } }), 409, 'run_ended');
      expectProblem(await api.post(`${runPath}/cancel`), 409, 'run_ended');
      expectProblem(await api.get(`${path}/flows/runs/${run.runId.replace(/.$/, 'x')}`), 404, 'run_not_found');
    });

    it('one request creates a transaction and starts a flow, and returns an error if the flow cannot start', async () => {
      const { api } = getTestStack();
      const { body } = newPerson();
      const createResponse = await api.post('/v1/transaction', {
        body,
        headers: { 'x-countersign-flow': 'email-token' },
      });
      const { id } = createResponse.body as { id: string };
      const run = await api.get(`/v1/transaction/${id}/flows/runs/${createResponse.headers.get('x-countersign-run')}`);
      expect(run.body).toMatchObject({ flow: 'email-token', awaited: { channel: 'email' } });
      const token = await getTestStack().stack.token('local', ['transaction:write']);
      expectProblem(await api.post('/v1/transaction?flow=sms-token', { body, token }), 403, 'insufficient_scope');
      expectProblem(await api.post('/v1/transaction?flow=no-such-flow', { body }), 404, 'flow_not_found');
      expectProblem(await api.post('/v1/transaction?flow=No', { body }), 400, 'validation_failed', ['flow']);
    });

    it('a tenant creates, activates and runs a flow', async () => {
      const { api, inbox } = getTestStack();
      const putResponse = await api.request('PUT', '/v1/flows/on-whatsapp', { body: whatsappFlow });
      expect(putResponse.body).toMatchObject({ version: 1 });
      const { body, phone } = newPerson();
      const path = await api.createTransaction(body);
      expectProblem(await api.post(`${path}/flows/on-whatsapp`), 409, 'flow_not_active');
      await api.post('/v1/flows/on-whatsapp/activate', { body: { version: 1 } });
      const run = runOf(await api.post(`${path}/flows/on-whatsapp`));
      expect(run).toMatchObject({ version: 1, awaited: { kind: 'reply', channel: 'whatsapp' } });
      const question = await inbox.waitForNewest(phone, 'whatsapp');
      await inbox.reply(question.id, { button: 1 });
      const endedRun = await waitUntil(async () => {
        const currentRun = runOf(await api.get(`${path}/flows/runs/${run.runId}`));
        return currentRun.status === 'Running' ? undefined : currentRun;
      });
      expect(endedRun.path.map(({ step, exit }) => [step, exit])).toEqual([
        ['question', 'Yes'],
        ['tell', 'Delivered'],
        ['judge', '2'],
        ['by-reply', undefined],
      ]);
      expect(endedRun.outcome).toBe('ConfirmedByReply');
    });

    it('a flow run takes the exit Failed when the provider rejects the message', async () => {
      const { api, inbox } = getTestStack();
      const { body, phone } = newPerson();
      await inbox.planFailures({ channel: 'whatsapp', kind: 'status', status: 400, code: 63_016, times: 1 });
      const createResponse = await api.post('/v1/transaction?flow=on-whatsapp', { body });
      const runPath = `/v1/transaction/${(createResponse.body as { id: string }).id}/flows/runs/${createResponse.headers.get('x-countersign-run')}`;
      await waitUntil(async () => runOf(await api.get(runPath)).step === 'code' || undefined);
      const code = await inbox.waitForCode(phone, 'sms');
      expect(runOf(await api.get(runPath)).path[0]).toMatchObject({ exit: 'Failed', reason: 'ProviderRefused 63016' });
      expect((await api.post(`${runPath}/answer`, { body: { value: code } })).body).toMatchObject({ status: 'Valid' });
      const outcome = await waitUntil(async () => runOf(await api.get(runPath)).outcome);
      expect(outcome).toBe('ConfirmedByCode');
      await inbox.clearFailures();
    });

    it('a repeated request returns the same flow run, even after the flow was deleted', async () => {
      const { api } = getTestStack();
      const { body } = newPerson();
      await api.request('PUT', '/v1/flows/short-lived', { body: whatsappFlow });
      await api.post('/v1/flows/short-lived/activate', { body: { version: 1 } });
      const key = randomUUID();
      const create = () => api.post('/v1/transaction?flow=short-lived', { body, key });
      const createResponse = await create();
      const { id } = createResponse.body as { id: string };
      const otherPath = await api.createTransaction(newPerson().body);
      const startFlow = (name: string) => api.post(`${otherPath}/flows/${name}`, { key });
      const startResponse = await startFlow('short-lived');
      await api.request('DELETE', '/v1/flows/short-lived/versions/1');

      const repeatedResponse = await create();
      expect(repeatedResponse).toMatchObject({ status: 201, body: { id } });
      expect(createResponse.headers.get('x-countersign-run')).toMatch(/^[0-9a-f-]{36}$/);
      expect(repeatedResponse.headers.get('x-countersign-run')).toBe(createResponse.headers.get('x-countersign-run'));
      expect(repeatedResponse.headers.get('idempotency-replayed')).toBe('true');
      expect(await startFlow('short-lived')).toMatchObject({
        status: 201,
        body: { runId: runOf(startResponse).runId },
      });
      expectProblem(await startFlow('never-there'), 409, 'idempotency_conflict');
      const differentBody = { ...body, name: 'Someone Else' };
      const conflict = await api.post('/v1/transaction?flow=short-lived', { body: differentBody, key });
      expectProblem(conflict, 409, 'idempotency_conflict', [], ['transactionId']);
      for (const path of ['/v1/transaction?flow=short-lived', `${otherPath}/flows/short-lived`])
        expectProblem(await api.post(path, { body: path.includes('?') ? body : undefined }), 404, 'flow_not_found');
    });
  });
}
