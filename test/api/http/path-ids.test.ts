import type { FlowDefinition } from '../../../domain/flows/definition';
import { smsTokenFlow } from '../../../flows/sms-token.flow';
import { BiometricsWorld } from '../biometrics/biometrics-world';

let world: BiometricsWorld;
beforeAll(async () => {
  world = await BiometricsWorld.open();
});
afterAll(() => world.close());

/** The same path with its ids in upper case. `ids`: the ids in the path. */
const withUpperCase = (path: string, ...ids: string[]) =>
  ids.reduce((changed, id) => changed.replace(id, id.toUpperCase()), path);

test('a transaction and its flow run are found by their ids in upper case', async () => {
  const { flowStore } = world.api.dependencies;
  world.api.dependencies.flowStore = { ...flowStore, findActive: async (): Promise<FlowDefinition> => smsTokenFlow };
  const { id, path } = await world.api.createTransaction();
  const upperPath = withUpperCase(path, id);
  expect(upperPath).not.toBe(path);
  const { body } = await world.api.post(`${upperPath}/flows/sms-token`);
  const { runId } = body as { runId: string };
  const upperRun = withUpperCase(`${path}/flows/runs/${runId}`, id, runId);
  expect((await world.api.request(upperRun)).body).toMatchObject({ runId, status: 'Running' });
  expect((await world.api.post(`${upperRun}/cancel`)).body).toMatchObject({ runId, status: 'Canceled' });
  expect((await world.api.request(`${upperPath}/all`)).body).toMatchObject({ transaction: { id } });
});

test('a review and its decision are found by the id of the link in upper case', async () => {
  const { linkId, id } = await world.submitAll();
  const upperPath = withUpperCase(`/v1/reviews/${linkId}`, linkId);
  expect((await world.api.request(upperPath)).body).toMatchObject({ id: linkId, transactionId: id });
  const decision = { status: 'Rejected', reason: 'seen' };
  const decided = await world.api.post(`${upperPath}/decision`, { body: decision });
  expect(decided).toMatchObject({ status: 200, body: { id: linkId, status: 'Rejected' } });
});

test('an upload of the person is found by its id in upper case', async () => {
  const { browser } = await world.createTransactionWithLink();
  await browser.openAndConsent();
  const { uploadId } = (await browser.post('/captures/selfie', { size: 100 })).body as { uploadId: string };
  const progress = await browser.request(`/captures/selfie/${uploadId.toUpperCase()}`);
  expect(progress).toMatchObject({ status: 200, body: { received: 0 } });
});
