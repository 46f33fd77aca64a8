import { Problem } from '../../../../api/http/problem';
import { CommandRejected } from '../../../../api/transactions/transactions';
import type { FlowDefinition } from '../../../../domain/flows/definition';
import { createTokenClosedError } from '../../../../domain/confirmations/check-code';
import { emailTokenFlow } from '../../../../flows/email-token.flow';
import { smsTokenFlow } from '../../../../flows/sms-token.flow';
import { fetchContract, type OpenApiContract } from '../../../acceptance/support/openapi-contract';
import { ApiWorld, problemShape } from '../../api-world';

let world: ApiWorld;
let contract: OpenApiContract;
beforeAll(async () => {
  world = await ApiWorld.open();
  contract = await fetchContract(world.address);
});
afterAll(() => world.close());

/** Makes the flow active for every name. */
const activate = (flow: FlowDefinition) => {
  world.dependencies.flowStore = { ...world.dependencies.flowStore, findActive: async () => flow };
};

test('a flow whose template was deleted is rejected with the issue and its fix, and no flow run starts', async () => {
  const [[name, step] = ['', undefined]] = Object.entries(smsTokenFlow.steps);
  activate({
    ...smsTokenFlow,
    steps: { ...smsTokenFlow.steps, [name]: { ...step, template: 'sms-gone' } as typeof step },
  } as FlowDefinition);
  const { path } = await world.createTransaction();
  const issue = {
    code: 'template-unknown',
    path: `steps.${name}.template`,
    message: expect.stringContaining('sms-gone'),
    fix: expect.any(String),
  };
  const response = await world.post(`${path}/flows/${smsTokenFlow.name}`);
  expect(response.body).toEqual({ ...problemShape('flow_invalid', 422), issues: [issue] });
  expect((await world.request(`${path}/flows`)).body).toEqual([]);
});

test.each([
  [smsTokenFlow.name, 'phone_daily_limit', smsTokenFlow],
  [emailTokenFlow.name, 'email_daily_limit', emailTokenFlow],
] as const)('a rejected resend of %s names the destination that reached its limit: %s', async (_, code, flow) => {
  activate(flow);
  const { path } = await world.createTransaction();
  const started = await world.post(`${path}/flows/${flow.name}`);
  const { runId } = started.body as { runId: string };
  world.transactions.nextErrors.push('DestinationDailyLimitReached');
  const response = await world.post(`${path}/flows/runs/${runId}/resend`);
  expect(response.body).toEqual(problemShape(code, 429));
});

test('a rejected resend returns the reason of the rejection, even if the transaction cannot be read afterwards', async () => {
  activate(smsTokenFlow);
  const { path } = await world.createTransaction();
  const started = await world.post(`${path}/flows/${smsTokenFlow.name}`);
  const { runId } = started.body as { runId: string };
  world.transactions.nextErrors.push('ResendTooSoon', new Problem('service_unavailable'));
  const response = await world.post(`${path}/flows/runs/${runId}/resend`);
  world.transactions.nextErrors.length = 0;
  expect(response.body).toMatchObject({ code: 'resend_too_soon' });
});

test('if a flow cannot start because of a running flow run, the problem has the id, flow and channel of this flow run', async () => {
  activate(smsTokenFlow);
  const { path } = await world.createTransaction();
  const started = await world.post(`${path}/flows/sms-token`);
  const { runId } = started.body as { runId: string };
  const response = await world.post(`${path}/flows/sms-token`);
  expect(response.body).toEqual({ ...problemShape('flow_running', 409), runId, flow: 'sms-token', channel: 'sms' });
  expect((await world.request(`${path}/flows/runs/${runId}`)).status).toBe(200);
  contract.check('POST', `${path}/flows/sms-token`, { ...response, text: '' });
});

test('if a flow cannot start because of an open confirmation, the problem has the channel of this confirmation', async () => {
  activate(smsTokenFlow);
  const { path } = await world.createTransaction();
  await world.post(`${path}/sms/tokens`);
  const response = await world.post(`${path}/flows/sms-token`);
  expect(response.body).toEqual({ ...problemShape('channel_busy', 409), channel: 'sms' });
  contract.check('POST', `${path}/flows/sms-token`, { ...response, text: '' });
});

test('the check of responses finds an undocumented field', () => {
  const headers = new Headers({ 'content-type': 'application/problem+json' });
  const body = {
    ...problemShape('flow_running', 409),
    type: 'https://a.example',
    title: 't',
    detail: 'd',
    instance: '/',
  };
  const response = { status: 409, headers, body: { ...body, traceId: 't', more: 1 }, text: '' };
  expect(() => contract.check('POST', '/v1/transaction/x/flows/y', response)).toThrow(
    /more is not a documented member/,
  );
});

test('if the message of an earlier step was not delivered, its code gets the documented status Failed', async () => {
  activate(smsTokenFlow);
  const { path } = await world.createTransaction();
  const started = await world.post(`${path}/flows/${smsTokenFlow.name}`);
  const { runId } = started.body as { runId: string };
  const [createdAt, expirationTime] = ['2026-01-01T12:00:00.000Z', '2026-01-01T12:05:00.000Z'];
  const rejection = createTokenClosedError({ status: 'Failed', createdAt, type: 'Sms', expirationTime });
  const send = jest.spyOn(world.transactions, 'send').mockRejectedValueOnce(new CommandRejected(rejection));
  const answerPath = `${path}/flows/runs/${runId}/answer`;
  const response = await world.post(answerPath, { body: { value: '123456' } });
  send.mockRestore();
  expect(response).toMatchObject({ status: 200, body: { status: 'Failed', run: { runId } } });
  contract.check('POST', answerPath, { ...response, text: '' });
});
