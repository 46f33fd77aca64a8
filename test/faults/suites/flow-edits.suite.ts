import type { RunView } from '../../../domain/flows/view-run';
import { normalOrLong } from '../../support/sample';
import type { ChaosWorld } from '../chaos-world';
import { EditedRun, editedFlow } from '../edited-flow';
import { type ApiResponse, expectStatus } from '../retrying-caller';
import { replayHistories } from '../replay-histories';

const testWithinMs = 600_000;

/** Half of the flow runs wait for a reply, half for a code. */
const openRunCount = normalOrLong(20, 200);
/** Two cores can process this many flow runs without delay. */
const concurrentRuns = 16;

const { name, before, after } = editedFlow;
const path = `/v1/flows/${name}`;

const versionOf = ({ body }: ApiResponse) => (body as { version: number }).version;
/** At most `concurrentRuns` calls at a time. The results are in order. */
async function mapConcurrently<Item, Result>(
  items: readonly Item[],
  work: (item: Item, index: number) => Promise<Result>,
) {
  const results: Result[] = [];
  let nextIndex = 0;
  const processItems = async () => {
    while (nextIndex < items.length) {
      const index = nextIndex;
      nextIndex += 1;
      results[index] = await work(items[index] as Item, index);
    }
  };
  await Promise.all(Array.from({ length: concurrentRuns }, processItems));
  return results;
}

const resultOf = ({ version, outcome, path }: RunView) => [
  version,
  outcome,
  path.map(({ step, exit }) => [step, exit]),
];

/** Edits a flow while its flow runs are open. */
export function describeFlowEdits(getWorld: () => ChaosWorld): void {
  const put = async (key: string, definition: object) =>
    versionOf(expectStatus(201, await getWorld().caller.put(path, key, definition)));
  const post = async (action: string, key: string, body?: object) =>
    versionOf(expectStatus(200, await getWorld().caller.post(`${path}/${action}`, key, body)));

  /** The person has an e-mail address. */
  async function startRun() {
    const run = new EditedRun(getWorld(), true);
    return { run, version: await run.start() };
  }

  test(
    'an edit, a rollback and a deletion of a flow do not change its open runs',
    async () => {
      expect(await put('p1', before)).toBe(1);
      await post('activate', 'a1', { version: 1 });
      const hasEmail = (index: number) => index % 2 === 0;
      const runs = Array.from({ length: openRunCount }, (_none, index) => new EditedRun(getWorld(), hasEmail(index)));
      const versions = await mapConcurrently(runs, (run) => run.start());
      expect(new Set(versions)).toEqual(new Set([1]));

      expect(await put('p2', after)).toBe(2);
      await post('activate', 'a2', { version: 2 });
      const afterEdit = await startRun();
      expect(await post('rollback', 'r')).toBe(1);
      const afterRollback = await startRun();
      await post('activate', 'a3', { version: 2 });
      expectStatus(200, await getWorld().caller.delete(`${path}/versions/1`, 'd'));
      expectStatus(404, await getWorld().caller.get(`${path}/versions/1`));
      const afterDeletion = await startRun();

      const results = await mapConcurrently(runs, async (run, index) => {
        if (hasEmail(index)) await run.pressButton(2);
        else await run.enterCode();
        return run.waitForEnd();
      });
      const refusedResult = [
        1,
        'RefusedAsFirst',
        [
          ['sort', '1'],
          ['question', 'No'],
          ['refused', undefined],
        ],
      ];
      const welcomeResult = [
        1,
        'WelcomeAsFirst',
        [
          ['sort', 'else'],
          ['code', 'Valid'],
          ['welcome', undefined],
        ],
      ];
      expect(results.map(resultOf)).toEqual(
        runs.map((_run, index) => (hasEmail(index) ? refusedResult : welcomeResult)),
      );

      expect([afterEdit.version, afterRollback.version, afterDeletion.version]).toEqual([2, 1, 2]);
      await afterRollback.run.pressButton(2);
      expect((await afterRollback.run.waitForEnd()).outcome).toBe('RefusedAsFirst');
      for (const { run } of [afterEdit, afterDeletion]) {
        expect((await run.waitForMessage()).text).toMatch(/^Second \d{6}$/);
        await run.enterCode();
        expect((await run.waitForEnd()).outcome).toBe('LateAsSecond');
      }
      expect(await replayHistories(getWorld(), [...runs, afterEdit.run, afterRollback.run, afterDeletion.run])).toEqual(
        new Map(),
      );
    },
    testWithinMs,
  );
}
