import type { RunView } from '../../../domain/flows/view-run';
import { sampleOrAll } from '../../support/sample';
import type { ChaosWorld } from '../chaos-world';
import { EditedRun, editedFlow } from '../edited-flow';
import { type ApiResponse, expectStatus } from '../patient-caller';
import { replayHistories } from '../replay-histories';

const testWithinMs = 600_000;

/** Half of them wait for a reply, half for a code. */
const inTheMiddle = sampleOrAll(20, 200);
/** The number that two cores can process without delay. */
const concurrentFlows = 16;

const { name, first, second } = editedFlow;
const path = `/v1/flows/${name}`;

const versionOf = ({ body }: ApiResponse) => (body as { version: number }).version;
/** Processes the items with limited concurrency, and returns the results in order. */
async function each<Item, Result>(items: readonly Item[], work: (item: Item, index: number) => Promise<Result>) {
  const results: Result[] = [];
  let next = 0;
  const takeTurns = async () => {
    while (next < items.length) {
      const index = next;
      next += 1;
      results[index] = await work(items[index] as Item, index);
    }
  };
  await Promise.all(Array.from({ length: concurrentFlows }, takeTurns));
  return results;
}

const resultOf = ({ version, outcome, path }: RunView) => [
  version,
  outcome,
  path.map(({ step, exit }) => [step, exit]),
];

/** Versions that are created and deleted while runs are open. */
export function describeFlowEdits(getWorld: () => ChaosWorld): void {
  const put = async (key: string, definition: object) =>
    versionOf(expectStatus(201, await getWorld().caller.put(path, key, definition)));
  const post = async (what: string, key: string, body?: object) =>
    versionOf(expectStatus(200, await getWorld().caller.post(`${path}/${what}`, key, body)));

  /** A new run of a person with e-mail. */
  async function newRun() {
    const run = new EditedRun(getWorld(), true);
    return { run, version: await run.start() };
  }

  test(
    'keeps running runs unchanged by an edit, a rollback and a deletion',
    async () => {
      expect(await put('p1', first)).toBe(1);
      await post('activate', 'a1', { version: 1 });
      const hasEmail = (index: number) => index % 2 === 0;
      const runs = Array.from({ length: inTheMiddle }, (_none, index) => new EditedRun(getWorld(), hasEmail(index)));
      const versions = await each(runs, (run) => run.start());
      expect(new Set(versions)).toEqual(new Set([1]));

      expect(await put('p2', second)).toBe(2);
      await post('activate', 'a2', { version: 2 });
      const early = await newRun();
      expect(await post('rollback', 'r')).toBe(1);
      const back = await newRun();
      await post('activate', 'a3', { version: 2 });
      expectStatus(200, await getWorld().caller.delete(`${path}/versions/1`, 'd'));
      expectStatus(404, await getWorld().caller.get(`${path}/versions/1`));
      const late = await newRun();

      const ended = await each(runs, async (run, index) => {
        if (hasEmail(index)) await run.press(2);
        else await run.giveCode();
        return run.end();
      });
      const responses = [
        1,
        'RefusedAsFirst',
        [
          ['sort', '1'],
          ['question', 'No'],
          ['refused', undefined],
        ],
      ];
      const welcome = [
        1,
        'WelcomeAsFirst',
        [
          ['sort', 'else'],
          ['code', 'Valid'],
          ['welcome', undefined],
        ],
      ];
      expect(ended.map(resultOf)).toEqual(runs.map((_run, index) => (hasEmail(index) ? responses : welcome)));

      expect([early.version, back.version, late.version]).toEqual([2, 1, 2]);
      await back.run.press(2);
      expect((await back.run.end()).outcome).toBe('RefusedAsFirst');
      for (const { run } of [early, late]) {
        expect((await run.message()).text).toMatch(/^Second \d{6}$/);
        await run.giveCode();
        expect((await run.end()).outcome).toBe('LateAsSecond');
      }
      expect(await replayHistories(getWorld(), [...runs, early.run, back.run, late.run])).toEqual(new Map());
    },
    testWithinMs,
  );
}
