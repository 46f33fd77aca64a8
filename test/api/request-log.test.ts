import { registerCodeFlows } from '../../api/flows/register-code-flows';
import { flows } from '../../flows';
import { createLogger } from '../../platform/logger';
import { LogLines } from '../support/log-lines';
import { startPostgres } from '../support/postgres';
import { ApiWorld } from './api-world';

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

test('a request leaves one line of allowed fields, and nothing of a person in it, whether it succeeds or fails', async () => {
  const written = new LogLines();
  const world = await ApiWorld.open({}, createLogger('api', 'info', written.stream));
  const { path } = await world.begin(person);
  await world.post('/v1/transaction', { body: { ...person, unknown: 'canary-value' } });
  await world.post('/v1/transaction', { raw: '{"name":"Zuleica Canario' });
  await world.post(`${path}/sms/tokens`, { headers: { 'idempotency-key': 'canary-value' } });
  await world.post(`${path}/sms/tokens/validate`, { body: { value: 'canary-value' } });
  await world.ask(`${path}/all`);
  await world.ask('/v1/zuleica.canario@example.com?value=canary-value');
  const link = await world.post(`${path}/biometrics`);
  const review = `/v1/reviews/${(link.body as { id: string }).id}`;
  await world.post(`${review}/decision`, { body: { status: 'Rejected', reason: 'canary-value' } });
  const read = jest.spyOn(world.transactions, 'read').mockRejectedValue(new Error('Zuleica Canario'));
  await world.ask(path);
  read.mockRestore();
  await world.close();

  for (const canary of canaries) expect(written.text).not.toContain(canary);
  const lines = written.all;
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

test('the line of a request about one run of a flow names the run, its flow and the step', async () => {
  const written = new LogLines();
  const postgres = await startPostgres();
  const settings = { DATABASE_URL: await postgres.freshDatabase() };
  const world = await ApiWorld.open(settings, createLogger('api', 'info', written.stream));
  await registerCodeFlows(world.parts.pool, flows);
  const { path } = await world.begin(person);
  const { runId } = (await world.post(`${path}/flows/sms-token`)).body as { runId: string };
  await world.post(`${path}/flows/${runId}/answer`, { body: { value: '000000' } });
  await world.ask(`${path}/flows/${runId}`);
  await world.ask(`${path}/flows`);
  await world.post(`${path}/flows/${runId}/cancel`);
  await world.post('/v1/transaction?flow=sms-token', { body: person });
  await world.close();
  await postgres.stop();
  const named = written.all.flatMap(({ route, runId: run, flow, version, step }) =>
    String(route).startsWith('/v1/transaction') ? [[run !== undefined, run === runId, flow, version, step]] : [],
  );
  const [ours, none] = [
    [true, true, 'sms-token', 1, 'code'],
    [false, false, undefined, undefined, undefined],
  ];
  expect(named).toEqual([none, ours, ours, ours, none, ours, [true, false, 'sms-token', 1, 'code']]);
});
