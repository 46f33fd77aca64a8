import type { FlowDefinition } from '../../../domain/flows/definition';
import type { RunView } from '../../../domain/flows/view-run';
import { smsTokenFlow } from '../../../flows/sms-token.flow';
import { Problem } from '../../../api/http/problem';
import { fetchContract, type OpenApiContract } from '../../acceptance/support/openapi-contract';
import { type ApiResponse, ApiWorld, person, problemShape } from '../api-world';

let world: ApiWorld;
let contract: OpenApiContract;
beforeAll(async () => {
  world = await ApiWorld.open();
  contract = await fetchContract(world.address);
  world.dependencies.flowStore = { ...world.dependencies.flowStore, findActive: async () => smsTokenFlow };
});
afterAll(() => world.close());

/** Checks the response against the OpenAPI document. `header`: X-Countersign-Flow. */
async function create(query: string, header?: string, key?: string): Promise<ApiResponse> {
  const headers = {
    ...(header === undefined ? {} : { 'x-countersign-flow': header }),
    ...(key === undefined ? {} : { 'idempotency-key': key }),
  };
  const response = await world.post(`/v1/transaction${query}`, { body: person, headers });
  contract.check('POST', '/v1/transaction', { ...response, text: JSON.stringify(response.body) });
  return response;
}

test.each([
  ['named in the query', '?flow=sms-token', undefined],
  ['named in the header', '', 'sms-token'],
  ['named in the query and in the header', '?flow=sms-token', 'sms-token'],
])('a request that creates a transaction also starts a flow: %s', async (_, query, header) => {
  const { status, headers, body } = await create(query, header);
  expect(status).toBe(201);
  const { id } = body as { id: string };
  const state = [...world.transactions.states.values()].find((stored) => stored.id === id);
  expect(state?.initialFlow).toBe('sms-token');
  expect((await world.request(`/v1/transaction/${id}/flows/runs/${headers.get('x-countersign-run')}`)).status).toBe(
    200,
  );
});

test('while Temporal does not answer, no flow run is started, and the caller learns the id of the transaction', async () => {
  const { send } = world.transactions;
  world.transactions.send = () => Promise.reject(new Problem('service_unavailable'));
  const { status, body } = await create('?flow=sms-token', undefined, 'later');
  world.transactions.send = send;
  const created = [...world.transactions.states.values()].at(-1);
  expect([status, body]).toEqual([503, { ...problemShape('service_unavailable', 503), transactionId: created?.id }]);
  expect(created?.runs ?? []).toEqual([]);
});

const conflictErrors = [expect.stringMatching(/query.*X-Countersign-Flow/)];
const nameErrors = ['must be the name of one flow'];

test.each([
  [
    'a name in the query and another name in the header',
    '?flow=sms-token',
    'email-token',
    { flow: conflictErrors, 'X-Countersign-Flow': conflictErrors },
  ],
  ['a repeated query parameter', '?flow=sms-token&flow=email-token', undefined, { flow: ['must appear once'] }],
  ['an invalid name in the query', '?flow=No', undefined, { flow: nameErrors }],
  ['an invalid name in the header', '', 'sms token', { 'X-Countersign-Flow': nameErrors }],
])('%s is rejected, and nothing is created', async (_, query, header, errors) => {
  const countBefore = world.transactions.states.size;
  const response = await create(query, header);
  expect(response.body).toEqual({ ...problemShape('validation_failed', 400), errors });
  expect(world.transactions.states.size).toBe(countBefore);
});

test.each(['?Flow=sms-token', '?flows=sms-token', '?flow[]=sms-token'])(
  'a misspelled query parameter is rejected, and nothing is created: %s',
  async (query) => {
    const countBefore = world.transactions.states.size;
    const [, name = ''] = /\?(.*)=/.exec(query) ?? [];
    expect((await create(query)).body).toEqual({
      ...problemShape('unknown_field', 400),
      errors: { [name]: ['is unknown'] },
    });
    expect(world.transactions.states.size).toBe(countBefore);
  },
);

describe('a retry after the flow became unavailable', () => {
  const noFlow = async () => undefined;
  const flowWithoutTemplate = {
    ...smsTokenFlow,
    steps: { ...smsTokenFlow.steps, code: { ...smsTokenFlow.steps['code'], template: 'gone' } },
  } as FlowDefinition;

  /**
   * The responses of a request and its retry. Before the retry, `readActive` replaces the active flow, and `runChanges` change the flow
   * run. Without `runChanges`, the flow run does not exist any more.
   */
  async function createTwice(
    readActive: () => Promise<FlowDefinition | undefined>,
    runChanges: Partial<RunView> | undefined,
  ) {
    const first = await create('?flow=sms-token', undefined, 'k');
    const { flowStore } = world.dependencies;
    const { create: createTransaction, findByIdempotencyKey, readLatest } = world.transactions;
    world.dependencies.flowStore = { ...flowStore, findActive: readActive, listVersions: noFlow };
    const replayCreation = async () => ({
      transaction: first.body as Record<string, unknown>,
      replayed: true,
    });
    Object.assign(world.transactions, { create: replayCreation, findByIdempotencyKey: replayCreation });
    world.transactions.readLatest = async (target) => {
      const view = await readLatest(target);
      return { ...view, flowRuns: runChanges ? view.flowRuns.map((run) => ({ ...run, ...runChanges })) : [] };
    };
    const repeat = await world.post('/v1/transaction?flow=sms-token', {
      body: person,
      headers: { 'idempotency-key': 'k' },
    });
    Object.assign(world.transactions, { create: createTransaction, findByIdempotencyKey, readLatest });
    world.dependencies.flowStore = flowStore;
    return { first, repeat };
  }

  test.each([
    ['is deleted', noFlow],
    ['has a deleted template', async () => flowWithoutTemplate],
  ])('a retry returns the started flow run when the flow %s', async (_, readActive) => {
    const { first, repeat } = await createTwice(readActive, {});
    expect([repeat.status, repeat.body]).toEqual([201, first.body]);
    expect(repeat.headers.get('x-countersign-run')).toBe(first.headers.get('x-countersign-run'));
  });

  test.each([
    ['no flow run was started', undefined, 'flow_not_found', 404],
    [
      'the flow run was started more than 24 hours ago',
      { startedAt: '2026-01-01T00:00:00.000Z' },
      'flow_not_found',
      404,
    ],
    ['the flow run belongs to another flow', { flow: 'email-token' }, 'idempotency_conflict', 409],
  ] as const)('a retry is rejected when %s', async (_, runChanges, code, status) => {
    const { first, repeat } = await createTwice(noFlow, runChanges);
    const { id } = first.body as { id: string };
    expect(repeat.body).toEqual({ ...problemShape(code, status), transactionId: id });
  });
});

test('if the flow run cannot start, the problem has the id of the created transaction', async () => {
  const { send } = world.transactions;
  world.transactions.send = () => Promise.reject(new Problem('idempotency_conflict'));
  const response = await create('?flow=sms-token');
  world.transactions.send = send;
  const transactionId = [...world.transactions.states.values()].at(-1)?.id;
  expect(response.body).toEqual({ ...problemShape('idempotency_conflict', 409), transactionId });
});
