import type { FlowDefinition } from '../../domain/flows/definition';
import { replay } from '../support/replay';
import { waitUntil } from '../support/wait-until';
import { World } from '../support/world';

let world: World;
beforeAll(async () => {
  world = await World.open();
  world.activities.webhookResultFor = () => 'outage';
});
afterAll(() => world.close());

const flowWithNotify = (giveUpAfterSeconds: number): FlowDefinition => ({
  name: 'telling',
  version: 1,
  start: 'tell',
  steps: {
    tell: { kind: 'notify', event: 'telling.started', giveUpAfterSeconds, exits: { Delivered: 'end', Failed: 'end' } },
    end: { kind: 'outcome', outcome: 'Over' },
  },
});

test.each([
  // The time limit and the shortest duration of the step, in seconds, and the minimum and the maximum number of attempts.
  [1, 0.7, 5, 9],
  [5, 4, 10, 14],
  [60, 52, 14, 20],
  [120, 105, 15, 22],
  [3_600, 3_560, 120, 140],
])(
  'if no webhook accepts the event, a notify step with a limit of %i seconds retries for almost this long, and then fails',
  async (limitSeconds, minSeconds, minAttempts, maxAttempts) => {
    const transaction = await world.createTransaction();
    const countBefore = world.activities.notificationChecks.length;
    await transaction.startFlow(flowWithNotify(limitSeconds));
    await world.env.sleep((limitSeconds + 2) * 1_000);
    const run = await waitUntil(async () => (await transaction.readState()).runs?.find(({ outcome }) => outcome));
    expect(run).toMatchObject({ outcome: 'Over', path: [{ exit: 'Failed', reason: 'NotReached' }, { step: 'end' }] });
    const [visit] = run.path;
    const visitSeconds = (Date.parse(visit?.leftAt ?? '') - Date.parse(visit?.enteredAt ?? '')) / 1_000;
    expect(visitSeconds).toBeGreaterThanOrEqual(minSeconds);
    // The clock of the test server goes on while the worker computes.
    expect(visitSeconds).toBeLessThan(limitSeconds + 15);
    const attempts = world.activities.notificationChecks.length - countBefore;
    expect(attempts).toBeGreaterThanOrEqual(minAttempts);
    expect(attempts).toBeLessThanOrEqual(maxAttempts);
    await replay(await transaction.fetchHistory());
  },
);
