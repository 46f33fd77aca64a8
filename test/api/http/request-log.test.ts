import { registerBuiltInFlows } from '../../../api/flows/catalog/open-flow-store';
import { Problem } from '../../../api/http/problem';
import type { FlowDefinition } from '../../../domain/flows/definition';
import { flows } from '../../../flows';
import { smsTokenFlow } from '../../../flows/sms-token.flow';
import { createLogger } from '../../../platform/logger';
import { LogLines } from '../../support/log-lines';
import { startPostgres } from '../../support/postgres';
import { ApiWorld } from '../api-world';

/** Values that no log line may contain. */
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

const withDeletedTemplates = (flow: FlowDefinition): FlowDefinition => {
  const steps = Object.entries(flow.steps).map(([name, step]) => [
    name,
    'template' in step ? { ...step, template: 'gone' } : step,
  ]);
  return { ...flow, steps: Object.fromEntries(steps) as FlowDefinition['steps'] };
};

test('a request logs one line with only allowed fields and no personal data, also if it fails', async () => {
  const log = new LogLines();
  const world = await ApiWorld.open({}, createLogger('api', 'info', log.stream));
  const { path } = await world.createTransaction(person);
  await world.post('/v1/transaction', { body: { ...person, unknown: 'canary-value' } });
  await world.post('/v1/transaction', { rawBody: '{"name":"Zuleica Canario' });
  await world.post(`${path}/sms/tokens`, { headers: { 'idempotency-key': 'canary-value' } });
  await world.post(`${path}/sms/tokens/validate`, { body: { value: 'canary-value' } });
  await world.request(`${path}/all`);
  await world.request('/v1/zuleica.canario@example.com?value=canary-value');
  const link = await world.post(`${path}/biometrics`);
  const review = `/v1/reviews/${(link.body as { id: string }).id}`;
  await world.post(`${review}/decision`, { body: { status: 'Rejected', reason: 'canary-value' } });
  const readMock = jest.spyOn(world.transactions, 'read').mockRejectedValue(new Error('Zuleica Canario'));
  await world.request(path);
  readMock.mockRestore();
  await world.close();

  for (const canary of canaries) expect(log.text).not.toContain(canary);
  const lines = log.lines;
  const requests = lines.filter(({ msg }) => msg === 'request');
  expect(requests).toHaveLength(10);
  const allowedFields = [
    'level',
    'time',
    'process',
    'method',
    'route',
    'status',
    'problem',
    'ms',
    'traceId',
    'clientId',
    'tenant',
    'transactionId',
    'msg',
  ];
  for (const line of requests) expect(allowedFields).toEqual(expect.arrayContaining(Object.keys(line)));
  expect(requests[0]).toMatchObject({ method: 'POST', route: '/v1/transaction', status: 201, tenant: 'local' });
  expect(requests[0]).toMatchObject({ transactionId: path.split('/').at(-1), clientId: 'client-of-local' });
  expect(requests[2]).toMatchObject({ status: 400, problem: 'malformed_json' });
  expect(requests[3]).toMatchObject({ status: 201, transactionId: path.split('/').at(-1) });
  const transactionId = path.split('/').at(-1);
  expect(requests.at(-2)).toMatchObject({ status: 404, problem: 'review_not_found', transactionId });
  expect(lines.filter(({ msg }) => msg === 'a request failed')).toHaveLength(1);
});

test('the log line of a request about a flow run has the id, flow and step of the flow run', async () => {
  const log = new LogLines();
  const postgres = await startPostgres();
  const settings = { DATABASE_URL: await postgres.createDatabase() };
  const world = await ApiWorld.open(settings, createLogger('api', 'info', log.stream));
  await registerBuiltInFlows(world.dependencies.pool, flows);
  const { path } = await world.createTransaction(person);
  const { runId } = (await world.post(`${path}/flows/sms-token`)).body as { runId: string };
  await world.post(`${path}/flows/runs/${runId}/answer`, { body: { value: '000000' } });
  await world.request(`${path}/flows/runs/${runId}`);
  await world.request(`${path}/flows`);
  await world.post(`${path}/flows/runs/${runId}/cancel`);
  await world.post('/v1/transaction?flow=sms-token', { body: person });
  await world.close();
  await postgres.stop();
  const loggedRuns = log.lines.flatMap(({ route, runId: run, flow, version, step }) =>
    String(route).startsWith('/v1/transaction') ? [[run !== undefined, run === runId, flow, version, step]] : [],
  );
  // Whether the log line has the id of a flow run, whether this id is `runId`, the flow, the version and the step.
  const [ownRun, withoutRun] = [
    [true, true, 'sms-token', 1, 'code'],
    [false, false, undefined, undefined, undefined],
  ];
  expect(loggedRuns).toEqual([
    withoutRun,
    ownRun,
    ownRun,
    ownRun,
    withoutRun,
    ownRun,
    [true, false, 'sms-token', 1, 'code'],
  ]);
});

test('the log line of a failed request about a flow run has the id, flow and step of the flow run, if they are known', async () => {
  const log = new LogLines();
  const world = await ApiWorld.open({}, createLogger('api', 'info', log.stream));
  const activate = (flow: FlowDefinition) => {
    world.dependencies.flowStore = {
      ...world.dependencies.flowStore,
      findActive: async () => flow,
      findDefinition: async () => undefined,
    };
  };
  const { nextErrors } = world.transactions;
  activate(smsTokenFlow);
  const { path, id: transactionId } = await world.createTransaction(person);
  const startPath = `${path}/flows/sms-token`;
  const { runId } = (await world.post(startPath)).body as { runId: string };
  const runPath = `${path}/flows/runs/${runId}`;
  const value = { body: { value: '000000' } };

  await world.post(startPath);
  nextErrors.push(new Problem('service_unavailable'));
  await world.post(startPath);
  nextErrors.push(new Problem('service_unavailable'));
  await world.post(`${runPath}/answer`, value);
  nextErrors.push('DestinationRefused');
  await world.post(`${runPath}/resend`);
  await world.request(`${runPath}/diagram.svg`);
  await world.post(`${runPath}/cancel`);
  await world.post(`${runPath}/answer`, value);
  await world.post(`${runPath}/resend`);
  await world.post(`${runPath}/cancel`);
  activate(withDeletedTemplates(smsTokenFlow));
  await world.post(startPath);
  for (const canary of canaries) await world.post(`${path}/flows/runs/${encodeURIComponent(canary)}/cancel`);
  await world.close();

  for (const canary of canaries) expect(log.text).not.toContain(canary);
  const lines = log.lines.filter(({ msg, problem }) => msg === 'request' && problem !== undefined);
  for (const line of lines) expect(line).toMatchObject({ transactionId });
  const [flowFields, runFields] = [
    { flow: 'sms-token', version: 1 },
    { runId, flow: 'sms-token', version: 1, step: 'code' },
  ];
  expect(
    lines.map(({ status, problem, runId: loggedRunId, flow, version, step }) => [
      status,
      problem,
      { runId: loggedRunId, flow, version, step },
    ]),
  ).toEqual([
    [409, 'flow_running', flowFields],
    [503, 'service_unavailable', flowFields],
    [503, 'service_unavailable', { runId }],
    [422, 'destination_refused', runFields],
    [404, 'flow_version_not_found', runFields],
    [409, 'run_ended', { runId }],
    [409, 'run_ended', runFields],
    [409, 'run_ended', { runId }],
    [422, 'flow_invalid', flowFields],
    ...canaries.map(() => [404, 'run_not_found', {}]),
  ]);
});
