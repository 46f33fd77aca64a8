import { registerCodeFlows } from '../../../api/flows/store/register-code-flows';
import { Problem } from '../../../api/http/problem';
import type { FlowDefinition } from '../../../domain/flows/definition';
import { flows } from '../../../flows';
import { smsTokenFlow } from '../../../flows/sms-token.flow';
import { createLogger } from '../../../platform/logger';
import { LogLines } from '../../support/log-lines';
import { startPostgres } from '../../support/postgres';
import { ApiWorld } from '../api-world';

const canaries = [
  'Zuleica Canario',
  'zuleica.canario@example.com',
  '39053344705',
  '987651234',
  'canary-generic',
  'canary-value',
];

const person = {
  documentType: 'CPF',
  document: '390.533.447-05',
  name: 'Zuleica Canario',
  email: 'zuleica.canario@example.com',
  phone: { countryCode: 55, areaCode: 11, number: 987651234 },
  genericFields: { canary: 'canary-generic' },
};

/** A flow whose template was deleted later. */
const withoutText = (flow: FlowDefinition): FlowDefinition => {
  const steps = Object.entries(flow.steps).map(([name, step]) => [
    name,
    'template' in step ? { ...step, template: 'gone' } : step,
  ]);
  return { ...flow, steps: Object.fromEntries(steps) as FlowDefinition['steps'] };
};

test('a request logs one line of allowed fields without personal data, whether it succeeds or fails', async () => {
  const written = new LogLines();
  const world = await ApiWorld.open({}, createLogger('api', 'info', written.stream));
  const { path } = await world.createTransaction(person);
  await world.post('/v1/transaction', { body: { ...person, unknown: 'canary-value' } });
  await world.post('/v1/transaction', { raw: '{"name":"Zuleica Canario' });
  await world.post(`${path}/sms/tokens`, { headers: { 'idempotency-key': 'canary-value' } });
  await world.post(`${path}/sms/tokens/validate`, { body: { value: 'canary-value' } });
  await world.request(`${path}/all`);
  await world.request('/v1/zuleica.canario@example.com?value=canary-value');
  const link = await world.post(`${path}/biometrics`);
  const review = `/v1/reviews/${(link.body as { id: string }).id}`;
  await world.post(`${review}/decision`, { body: { status: 'Rejected', reason: 'canary-value' } });
  const read = jest.spyOn(world.transactions, 'read').mockRejectedValue(new Error('Zuleica Canario'));
  await world.request(path);
  read.mockRestore();
  await world.close();

  for (const canary of canaries) expect(written.text).not.toContain(canary);
  const lines = written.lines;
  const requests = lines.filter(({ msg }) => msg === 'request');
  expect(requests).toHaveLength(10);
  const allowed = [
    'level',
    'time',
    'process',
    'method',
    'route',
    'status',
    'problem',
    'ms',
    'traceId',
    'tenant',
    'transactionId',
    'msg',
  ];
  for (const line of requests) expect(allowed).toEqual(expect.arrayContaining(Object.keys(line)));
  expect(requests[0]).toMatchObject({ method: 'POST', route: '/v1/transaction', status: 201, tenant: 'local' });
  expect(requests[0]).toMatchObject({ transactionId: path.split('/').at(-1) });
  expect(requests[2]).toMatchObject({ status: 400, problem: 'malformed_json' });
  expect(requests[3]).toMatchObject({ status: 201, transactionId: path.split('/').at(-1) });
  const transactionId = path.split('/').at(-1);
  expect(requests.at(-2)).toMatchObject({ status: 404, problem: 'review_not_found', transactionId });
  expect(lines.filter(({ msg }) => msg === 'a request failed')).toHaveLength(1);
});

test('the log line of a request about a flow run has the run, its flow and the step', async () => {
  const written = new LogLines();
  const postgres = await startPostgres();
  const settings = { DATABASE_URL: await postgres.freshDatabase() };
  const world = await ApiWorld.open(settings, createLogger('api', 'info', written.stream));
  await registerCodeFlows(world.dependencies.pool, flows);
  const { path } = await world.createTransaction(person);
  const { runId } = (await world.post(`${path}/flows/sms-token`)).body as { runId: string };
  await world.post(`${path}/flows/runs/${runId}/answer`, { body: { value: '000000' } });
  await world.request(`${path}/flows/runs/${runId}`);
  await world.request(`${path}/flows`);
  await world.post(`${path}/flows/runs/${runId}/cancel`);
  await world.post('/v1/transaction?flow=sms-token', { body: person });
  await world.close();
  await postgres.stop();
  const named = written.lines.flatMap(({ route, runId: run, flow, version, step }) =>
    String(route).startsWith('/v1/transaction') ? [[run !== undefined, run === runId, flow, version, step]] : [],
  );
  const [ours, none] = [
    [true, true, 'sms-token', 1, 'code'],
    [false, false, undefined, undefined, undefined],
  ];
  expect(named).toEqual([none, ours, ours, ours, none, ours, [true, false, 'sms-token', 1, 'code']]);
});

test('the log line of a failed request about a run has the run of its path, and flow and step if they are known', async () => {
  const written = new LogLines();
  const world = await ApiWorld.open({}, createLogger('api', 'info', written.stream));
  const active = (flow: FlowDefinition) => {
    world.dependencies.flowStore = {
      ...world.dependencies.flowStore,
      active: async () => flow,
      ofRuns: async () => undefined,
    };
  };
  const { failures } = world.transactions;
  active(smsTokenFlow);
  const { path, id: transactionId } = await world.createTransaction(person);
  const start = `${path}/flows/sms-token`;
  const { runId } = (await world.post(start)).body as { runId: string };
  const run = `${path}/flows/runs/${runId}`;
  const value = { body: { value: '000000' } };

  await world.post(start);
  failures.push(new Problem('service_unavailable'));
  await world.post(start);
  failures.push(new Problem('service_unavailable'));
  await world.post(`${run}/answer`, value);
  failures.push('DestinationRefused');
  await world.post(`${run}/resend`);
  await world.request(`${run}/diagram.svg`);
  await world.post(`${run}/cancel`);
  await world.post(`${run}/answer`, value);
  await world.post(`${run}/resend`);
  await world.post(`${run}/cancel`);
  active(withoutText(smsTokenFlow));
  await world.post(start);
  for (const canary of canaries) await world.post(`${path}/flows/runs/${encodeURIComponent(canary)}/cancel`);
  await world.close();

  for (const canary of canaries) expect(written.text).not.toContain(canary);
  const lines = written.lines.filter(({ msg, problem }) => msg === 'request' && problem !== undefined);
  for (const line of lines) expect(line).toMatchObject({ transactionId });
  const [requestLine, found] = [
    { flow: 'sms-token', version: 1 },
    { runId, flow: 'sms-token', version: 1, step: 'code' },
  ];
  expect(
    lines.map(({ status, problem, runId: of, flow, version, step }) => [
      status,
      problem,
      { runId: of, flow, version, step },
    ]),
  ).toEqual([
    [409, 'flow_running', requestLine],
    [503, 'service_unavailable', requestLine],
    [503, 'service_unavailable', { runId }],
    [422, 'destination_refused', found],
    [404, 'flow_version_not_found', found],
    [409, 'run_ended', { runId }],
    [409, 'run_ended', found],
    [409, 'run_ended', { runId }],
    [422, 'flow_invalid', requestLine],
    ...canaries.map(() => [404, 'run_not_found', {}]),
  ]);
});
