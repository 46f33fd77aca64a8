import { formatColumns } from '../../../platform/text-table';
import type { Combination, Drill } from '../restore/check-report';
import { restoreCombination, runDrill } from '../restore/restore-drill';
import { RestoreWorld } from '../restore/restore-world';

const parts = ['A', 'B'] as const;
const temporals = ['A', 'newer', undefined] as const;
const combinations: Combination[] = parts.flatMap((main) =>
  parts.flatMap((keys) => temporals.map((temporal) => ({ main, keys, temporal }))),
);

/** The service starts, and persons come, on a busy machine. */
const drillWithinMs = 600_000;
/** A restore, two starts of the service, and the time in which a worker would resume what it should not. */
const combinationWithinMs = 300_000;

let world: RestoreWorld | undefined;
let drill: Drill | undefined;
const rows: string[][] = [
  ['main', 'keys', 'Temporal', 'persons', 'readable', 'valid twice', 'sent twice', 'finished', 'report'],
];

beforeAll(async () => {
  world = await RestoreWorld.start();
  drill = await runDrill(world, { phaseMs: 3_000, lanes: 2 });
  process.stdout.write(drill.output);
}, drillWithinMs);
afterAll(async () => {
  process.stdout.write(`\n${formatColumns(rows)}\n`);
  await world?.end();
}, 60_000);

test.each(combinations)(
  'main $main, keys $keys, Temporal $temporal: no code is valid twice, no message is sent twice, and the report is right',
  async (combination) => {
    if (!world || !drill) throw new Error('The drill failed.');
    const outcome = await restoreCombination(world, drill, combination);
    const { main, keys, temporal = 'empty' } = combination;
    rows.push([
      ...[main, keys, temporal, String(drill.persons.length), String(outcome.readable), String(outcome.acceptedTwice)],
      ...[String(outcome.messagesTwice), String(outcome.finished), outcome.wrongReport.join('; ') || 'right'],
    ]);
    process.stdout.write(outcome.output);
    const { accepted, messagesTwice, wrongReport, failures } = outcome;
    expect({ accepted, messagesTwice, wrongReport, failures }).toEqual({
      ...{ accepted: 0, messagesTwice: 0 },
      ...{ wrongReport: [], failures: [] },
    });
  },
  combinationWithinMs,
);
