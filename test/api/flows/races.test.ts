import { FlowWorld, buildPauseFlow } from './flow-world';

let world: FlowWorld;
beforeAll(async () => {
  world = await FlowWorld.open();
  // Twenty requests share four connections. On a busy machine, they wait longer for a connection than the API allows by default.
  world.api.dependencies.pool.options.connectionTimeoutMillis = 60_000;
});
afterAll(() => world.close());

const rounds = Array.from({ length: 8 }, (_, round) => `race-${round}`);
const numbersTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);
const sort = (values: readonly number[]) => values.toSorted((left, right) => left - right);
const versionsOf = (responses: readonly { body: unknown }[]) =>
  sort(responses.map(({ body }) => (body as { version: number }).version));

test('PUTs of one flow at the same time get different version numbers', async () => {
  const responses = await Promise.all(numbersTo(20).map((seconds) => world.put('crowd', buildPauseFlow(seconds))));
  expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 201));
  expect(versionsOf(responses)).toEqual(numbersTo(20));
});

test('equal PUTs at the same time add one version', async () => {
  const responses = await Promise.all(numbersTo(10).map(() => world.put('choir', buildPauseFlow(1))));
  expect(sort(responses.map(({ status }) => status))).toEqual([...numbersTo(9).map(() => 200), 201]);
  expect(versionsOf(responses)).toEqual(numbersTo(10).map(() => 1));
});

test.each(rounds)(
  'if a version of %s is activated and deleted at the same time, one of the two requests is rejected',
  async (name) => {
    await world.createVersions(name, 2, { activate: [1] });
    const [activation, deletion] = await Promise.all([world.activate(name, 2), world.deleteVersion(name, 2)]);
    const statuses = [activation.status, deletion.status];
    expect([
      [200, 409],
      [404, 200],
    ]).toContainEqual(statuses);
    const { version } = (await world.api.dependencies.flowStore.findActive('local', name)) ?? {};
    expect(version).toBe(statuses[0] === 200 ? 2 : 1);
    expect((await world.get(`/v1/flows/${name}/versions/${version}`)).status).toBe(200);
  },
);

test.each(rounds)(
  'if a version is deleted during a rollback to this version, one of the two requests is rejected (%s)',
  async (round) => {
    const name = `back-${round}`;
    await world.createVersions(name, 2, { activate: [1, 2] });
    const [rollback, deletion] = await Promise.all([world.rollBack(name), world.deleteVersion(name, 1)]);
    expect([
      [200, 409],
      [409, 200],
    ]).toContainEqual([rollback.status, deletion.status]);
    const { version } = (await world.api.dependencies.flowStore.findActive('local', name)) ?? {};
    expect((await world.get(`/v1/flows/${name}/versions/${version}`)).status).toBe(200);
  },
);

test('activations and rollbacks that are sent at the same time are carried out one after the other', async () => {
  await world.createVersions('mixed', 3, { activate: [1] });
  await Promise.all([2, 3, 2, 3].flatMap((version) => [world.activate('mixed', version), world.rollBack('mixed')]));
  // The first four entries come from `createVersions`.
  const entries = (await world.readAuditLog('mixed')).slice(4) as [
    string,
    string,
    { version: number; previous: number },
  ][];
  let active = 1;
  for (const [, , { version, previous }] of entries) {
    expect(previous).toBe(active);
    active = version;
  }
  expect(await world.api.dependencies.flowStore.findActive('local', 'mixed')).toMatchObject({ version: active });
});

test('a change of a flow does not block other flows of the tenant', async () => {
  await world.createVersions('held', 1);
  const client = await world.api.dependencies.pool.connect();
  await client.query('begin');
  // The lock that each change of the flow `held` needs.
  await client.query("select pg_advisory_xact_lock(hashtextextended('flows/local/held', 0))");
  const blockedPut = world.put('held', buildPauseFlow(2));
  expect((await world.put('free', buildPauseFlow(1))).status).toBe(201);
  expect((await world.get('/v1/flows/held')).body).toMatchObject({ newest: 1 });
  await client.query('commit');
  client.release();
  expect((await blockedPut).body).toMatchObject({ version: 2 });
});
