import { performance } from 'node:perf_hooks';
import { Client, Connection } from '@temporalio/client';
import { transactionWorkflowId } from '../../workflows/contract/ids';
import { startProgressBar } from '../report/progress';
import { median } from '../report/statistics';
import { formatNumber, formatTable } from '../report/table';
import { concurrency } from '../versions/sides';
import { type BenchTransaction, measureCalls } from '../worker/bench-caller';
import type { ScaleSide } from './endpoints';

/** A new workflow run starts at 500 events. One more analysis can add some 15, and the measurement makes two. */
const eventsWanted = 450;
const transactionsWithLongHistory = 4;
/** More workflows than a worker keeps in memory. Reads of so many remove all others from it. */
const evictingReads = 700;

/** Compares transactions with the longest history with new ones, in the memory of the worker and outside of it. */
export async function measureLongHistory({ side, open }: ScaleSide, output: NodeJS.WriteStream): Promise<void> {
  const { caller } = side;
  const connection = await Connection.connect({ address: caller.stack.addresses.temporal });
  try {
    const client = new Client({ connection });
    const lengthOf = async ({ path }: BenchTransaction) => {
      const workflowId = transactionWorkflowId('local', path.split('/').at(-1) ?? '');
      return (await client.workflow.getHandle(workflowId).describe()).historyLength;
    };
    const analyse = ({ path }: BenchTransaction) => caller.call('POST', `${path}/scores`);
    const createMany = () =>
      Promise.all(Array.from({ length: transactionsWithLongHistory }, () => caller.createTransaction()));
    const long = await createMany();
    const updateProgress = startProgressBar(output, 'Events', eventsWanted);
    // Each round adds at least 8 events.
    let length = 0;
    for (let round = 0; length < eventsWanted && round < eventsWanted / 8; round += 1) {
      await measureCalls(long, concurrency, analyse);
      length = Math.max(...(await Promise.all(long.map(lengthOf))));
      updateProgress(Math.min(length, eventsWanted));
    }
    if (length < eventsWanted) throw new Error(`The longest history has ${length} events.`);
    const short = await createMany();
    const timeOf = async (transactions: readonly BenchTransaction[]) => {
      const times: number[] = [];
      for (const transaction of transactions) {
        const startedAt = performance.now();
        await analyse(transaction);
        times.push(performance.now() - startedAt);
      }
      return formatNumber(median(times), 0);
    };
    const inMemory = [await timeOf(short), await timeOf(long)];
    const others = Array.from({ length: evictingReads }, () => open.pick());
    await measureCalls(others, concurrency, (transaction) => caller.readTransaction(transaction));
    const outside = [await timeOf(short), await timeOf(long)];
    output.write(
      `\n${formatTable(
        ['an analysis, median, ms', 'new transaction', `${eventsWanted.toLocaleString('en')} events`],
        [
          ['in the memory of the worker', ...inMemory],
          ['loaded first', ...outside],
        ],
      )}\n`,
    );
  } finally {
    await connection.close();
  }
}
