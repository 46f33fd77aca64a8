import { randomUUID } from 'node:crypto';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import type { WebhookTarget } from '../../domain/webhooks/webhooks';
import { createLogger } from '../../platform/logger';
import { builtBundle } from '../../worker/bundle';
import { createWorkers, type WorkerGroup } from '../../worker/create-workers';
import { endForUpgrade, newDeliveries } from '../../workflows/contract/commands';
import { webhookWorkflowId, webhookWorkflowType } from '../../workflows/contract/ids';
import type { WebhookActivities } from '../../workflows/contract/activities';
import { FakeActivities } from '../support/fake-activities';
import { quietRuntime } from '../support/quiet-runtime';
import { openDevServer } from '../support/servers/open-environment';
import { waitUntil } from '../support/wait-until';

const taskQueue = `webhook-delivery-${randomUUID()}`;

let env: TestWorkflowEnvironment;
let worker: WorkerGroup;
let workerRun: Promise<void>;
let deliverEvents: WebhookActivities['deliverEvents'] = async () => ({});
beforeAll(async () => {
  quietRuntime();
  env = await openDevServer('temporal-short');
  worker = await createWorkers({
    connection: env.nativeConnection,
    namespace: 'default',
    taskQueue,
    activities: Object.assign(new FakeActivities(), {
      deliverEvents: (target: WebhookTarget) => deliverEvents(target),
    }),
    cachedWorkflows: 50,
    workflowBundle: builtBundle,
    logger: createLogger('test', 'silent'),
  });
  workerRun = worker.run();
});
afterAll(async () => {
  worker.shutdown();
  await workerRun;
  await env.teardown();
});

function start() {
  const target = { tenant: 'local', webhookId: randomUUID() };
  const options = { workflowId: webhookWorkflowId(target), taskQueue, args: [target], signal: newDeliveries };
  return env.client.workflow.signalWithStart(webhookWorkflowType, options);
}

test('if a signal reports new deliveries while the workflow delivers, the workflow delivers once more before it ends', async () => {
  let calls = 0;
  let finish = () => {};
  const finished = new Promise<void>((resolve) => (finish = resolve));
  deliverEvents = async () => {
    calls += 1;
    if (calls === 1) await finished;
    return {};
  };
  const handle = await start();
  await waitUntil(() => calls === 1);
  await handle.signal(newDeliveries);
  finish();
  await handle.result();
  expect(calls).toBe(2);
});

test('if the server of a webhook fails for a long time, the history of the webhook workflow stays short', async () => {
  let calls = 0;
  deliverEvents = async () => {
    calls += 1;
    return calls < 25 ? { nextAttemptAt: new Date().toISOString() } : {};
  };
  const handle = await start();
  await handle.result();
  expect(calls).toBe(25);
  const { events } = await env.client.workflow.getHandle(handle.workflowId).fetchHistory();
  expect(events?.length).toBeLessThan(200);
  expect((await env.client.workflow.getHandle(handle.workflowId).describe()).runId).not.toBe(handle.signaledRunId);
});

test('a workflow that waits for the next attempt ends for an upgrade, and leaves the attempt to the next workflow run', async () => {
  let calls = 0;
  deliverEvents = async () => {
    calls += 1;
    return { nextAttemptAt: new Date(Date.now() + 3_600_000).toISOString() };
  };
  const handle = await start();
  await waitUntil(() => calls === 1);
  await handle.signal(endForUpgrade);
  await handle.result();
  expect(calls).toBe(1);
});
