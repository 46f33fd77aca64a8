import { buildPauseFlow, FlowWorld } from './flow-world';

let world: FlowWorld;
beforeAll(async () => {
  world = await FlowWorld.open();
});
afterAll(() => world.close());

const withHeader = (name: string, value: string) => ({ headers: { [name]: value } });
/** Saves a version only if the newest version has this digest. */
const putAfter = (name: string, seconds: number, digest: string) =>
  world.put(name, buildPauseFlow(seconds), withHeader('If-Match', `"${digest}"`));
const digestOf = ({ body }: { body: unknown }) => (body as { digest: string }).digest;

it('with If-Match, a new version is rejected if its author did not read the newest version', async () => {
  const first = digestOf(await world.put('shared', buildPauseFlow(1)));
  const second = await putAfter('shared', 2, first);
  expect(second).toMatchObject({ status: 201, body: { version: 2 } });
  expect(await putAfter('shared', 3, first)).toMatchObject({
    status: 412,
    body: { code: 'flow_changed', newest: 2, createdBy: 'client-of-local' },
  });
  expect(await putAfter('shared', 3, digestOf(second))).toMatchObject({ status: 201, body: { version: 3 } });
});

it('of four changes of the same version at the same time, one is saved, and the others get flow_changed', async () => {
  const first = digestOf(await world.put('raced', buildPauseFlow(1)));
  const responses = await Promise.all([2, 3, 4, 5].map((seconds) => putAfter('raced', seconds, first)));
  expect(responses.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([201, 412, 412, 412]);
  expect((await world.get('/v1/flows/raced')).body).toMatchObject({ newest: 2 });
});

it('a repeat of a saved change gets the saved version, and not the problem flow_changed', async () => {
  const first = digestOf(await world.put('repeated', buildPauseFlow(1)));
  await putAfter('repeated', 2, first);
  expect(await putAfter('repeated', 2, first)).toMatchObject({ status: 200, body: { version: 2 } });
});

it('If-None-Match allows only a new flow, and If-Match only a change of an existing flow', async () => {
  const create = (seconds: number) => world.put('new', buildPauseFlow(seconds), withHeader('If-None-Match', '*'));
  expect((await create(1)).status).toBe(201);
  expect(await create(2)).toMatchObject({ status: 412, body: { code: 'flow_changed', newest: 1 } });
  expect(
    (await world.put('gone', buildPauseFlow(1), withHeader('If-Match', `"${'0'.repeat(64)}"`))).body,
  ).toMatchObject({
    code: 'flow_changed',
  });
});

it.each([
  ['If-Match', 'W/"3"'],
  ['If-Match', '*'],
  ['If-None-Match', '"3"'],
])('the header %s with the value %s is rejected', async (name, value) => {
  expect(await world.put('shared', buildPauseFlow(9), withHeader(name, value))).toMatchObject({
    status: 400,
    body: { code: 'validation_failed', errors: { [name]: [expect.any(String)] } },
  });
});

it('an activation changes nothing if the caller expects another active version', async () => {
  await world.createVersions('forward', 3);
  const activate = (version: number, active: number | null) =>
    world.activate('forward', version, { body: { version, active } });
  expect(await activate(1, null)).toMatchObject({ status: 200, body: { version: 1 } });
  const conflict = await activate(2, null);
  expect(conflict).toMatchObject({ status: 409, body: { code: 'flow_activation_changed', active: 1 } });
  await world.activate('forward', 3);
  expect((await activate(2, 1)).body).toMatchObject({ code: 'flow_activation_changed', active: 3 });
  expect((await world.get('/v1/flows/forward')).body).toMatchObject({ active: 3 });
  // Version 3 is already active. The request succeeds although it expects version 1, because it may be a repeat after a lost response.
  expect(await activate(3, 1)).toMatchObject({ status: 200, body: { version: 3 } });
  expect(await activate(2, 3)).toMatchObject({ status: 200, body: { version: 2, previous: 3 } });
});

it('a rollback changes nothing if it would activate a version that the caller does not expect', async () => {
  await world.createVersions('back', 3, { activate: [1, 2, 3] });
  const rollBackTo = (version: number) => world.rollBack('back', { body: { version } });
  expect((await world.get('/v1/flows/back')).body).toMatchObject({ active: 3, rollbackTo: 2 });
  await world.activate('back', 1);
  expect(await rollBackTo(2)).toMatchObject({
    status: 409,
    body: { code: 'flow_activation_changed', rollbackTo: 3 },
  });
  expect((await world.get('/v1/flows/back')).body).toMatchObject({ active: 1, rollbackTo: 3 });
  expect(await rollBackTo(3)).toMatchObject({ status: 200, body: { version: 3, previous: 1 } });
  expect((await world.get('/v1/flows/sms-token')).body).not.toHaveProperty('rollbackTo');
  await world.createVersions('only', 1, { activate: [1] });
  expect((await world.rollBack('only', { body: { version: 1 } })).body).toMatchObject({
    code: 'flow_activation_changed',
  });
});
