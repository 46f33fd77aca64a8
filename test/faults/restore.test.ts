import { restoreCombination, runDrill } from './restore/restore-drill';
import { RestoreWorld } from './restore/restore-world';

/** Longer than a worker needs to look once for what is due. All combinations, with a longer wait: test/faults/long/restore-matrix.test.ts. */
const waitMs = 16_000;
/** On a busy machine, the service starts slowly, and it starts twice. */
const testMs = 600_000;

let world: RestoreWorld | undefined;
afterEach(() => world?.end(), 30_000);

test(
  'after a restore that is older than Temporal, no code is valid twice, no message is sent twice, and the report is right',
  async () => {
    world = await RestoreWorld.start();
    const drill = await runDrill(world, { phaseMs: 500, lanes: 1 });
    const combination = { main: 'A', keys: 'B', temporal: 'newer' } as const;
    const outcome = await restoreCombination(world, drill, combination, waitMs);
    expect(outcome).toMatchObject({ accepted: 0, acceptedTwice: 0, messagesTwice: 0, wrongReport: [], failures: [] });
    expect(outcome.finished).toBeGreaterThan(0);
    expect(outcome.report.workflows.ahead.length).toBeGreaterThan(0);
    expect(outcome.report.workflows.withoutRecord.length).toBeGreaterThan(0);
    expect(outcome.report.erasedAgain.length).toBeGreaterThan(0);
  },
  testMs,
);
