import { setTimeout as pause } from 'node:timers/promises';
import { createLogger } from '../../../platform/logger';
import { Activation, activationTiming } from '../../../worker/deployment/activation';
import { waitUntil } from '../../support/wait-until';
import type { DeploymentState, VersionInfo } from '../../../worker/deployment/versions';

const deploymentName = 'test';
const own = { deploymentName, buildId: 'own' };
const version = (buildId: string, createdAt: string, status: VersionInfo['status']): VersionInfo => ({
  ...{ deploymentName, buildId, createdAt, status },
});

/** A deployment without Temporal. */
class FakeDeployment {
  state: DeploymentState = { versions: [], workers: new Map() };
  error: Error | undefined;
  readonly activated: string[] = [];

  readState = async () => {
    if (this.error) throw this.error;
    return this.state;
  };

  listVersions = async () => [...this.state.versions];

  activate = async (buildId: string) => {
    this.activated.push(buildId);
    this.state = {
      ...this.state,
      versions: this.state.versions.map((one) => ({
        ...one,
        status: one.buildId === buildId ? ('active' as const) : ('drained' as const),
      })),
    };
  };
}

const shortened = { checkEveryMs: 100, retryAfterMs: 10, warnAfterMs: 200 };

let deployment: FakeDeployment;
let activation: Activation;
const logger = createLogger('test', 'silent');

beforeEach(() => {
  for (const name of ['checkEveryMs', 'retryAfterMs', 'warnAfterMs'] as const)
    jest.replaceProperty(activationTiming, name, shortened[name]);
  deployment = new FakeDeployment();
  activation = new Activation({
    ...{ deployment, version: own, logger, taskQueue: 'queue' },
    // Nothing is draining, so nothing is moved.
    ...{ client: {} as never, findState: async () => undefined, deliverWaiting: async () => undefined },
  });
});
afterEach(() => {
  activation.stop();
  jest.restoreAllMocks();
});

const running = (...buildIds: string[]) => new Map(buildIds.map((buildId) => [buildId, 1]));
const newer = version('newer', '2026-01-02', 'active');
const older = version('own', '2026-01-01', 'inactive');

test('a worker waits until Temporal knows its version, and then takes over from an older one', async () => {
  deployment.state = { versions: [version('old', '2025-12-31', 'active')], workers: running('old') };
  const starting = activation.start();
  await pause(5 * shortened.retryAfterMs);
  expect(deployment.activated).toEqual([]);
  deployment.state = { versions: [older, ...deployment.state.versions], workers: running('old', 'own') };
  await starting;
  expect(deployment.activated).toEqual(['own']);
  expect(activation.isActive).toBe(true);
});

test('an older worker takes over when the newer version has had no workers twice in a row, and not after one such reading', async () => {
  deployment.state = { versions: [newer, older], workers: running('newer', 'own') };
  await activation.start();
  expect(activation.isActive).toBe(false);
  const readings: ReadonlyMap<string, number>[] = [running('own'), running('newer', 'own'), running('own')];
  const activatedAt: number[] = [];
  let count = 0;
  deployment.readState = async () => {
    const workers = readings[count] ?? running('own');
    count += 1;
    return { ...deployment.state, workers };
  };
  const { activate } = deployment;
  deployment.activate = async (buildId) => {
    activatedAt.push(count);
    await activate(buildId);
  };
  await waitUntil(() => deployment.activated.length > 0);
  expect(activatedAt).toEqual([4]);
});

test('a worker that runs does not take back from an older version, such as after a rollback', async () => {
  const rolledBack = [version('own', '2026-01-02', 'draining'), version('older', '2026-01-01', 'active')];
  deployment.state = { versions: [version('own', '2026-01-02', 'active')], workers: running('own') };
  await activation.start();
  deployment.state = { versions: rolledBack, workers: running('own', 'older') };
  await pause(4 * shortened.checkEveryMs);
  expect(deployment.activated).toEqual([]);
  expect(activation.isActive).toBe(false);
});

test('failures are warnings only if they last', async () => {
  const warn = jest.spyOn(logger, 'warn');
  deployment.error = new Error('no permission');
  const startedMs = Date.now();
  const starting = activation.start();
  await waitUntil(() => warn.mock.calls.length > 0);
  expect(Date.now() - startedMs).toBeGreaterThan(shortened.warnAfterMs);
  expect(warn).toHaveBeenCalledWith({ failure: 'Error' }, expect.stringContaining('could not be checked or activated'));
  activation.stop();
  await starting;
});
