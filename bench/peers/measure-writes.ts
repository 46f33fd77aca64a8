import { setTimeout as sleep } from 'node:timers/promises';
import { Client as TemporalClient, Connection } from '@temporalio/client';
import type { Client } from 'pg';
import { startProgressBar } from '../report/progress';
import { mean } from '../report/statistics';
import type { PeersWorld } from './peers-world';
import { countersDelayMs, type DatabaseCounters, readDatabaseCounters } from './postgres-counters';
import { readCodes, type RunningSide, runOperation } from './run-operation';
import { definitionOf, type Operation, type SideName } from './sides';

/** How many histories are read. They differ only by timers and by the order of events. */
const historySample = 20;

/** What one call of an operation writes on average. */
export interface Writes {
  side: SideName;
  operation: Operation;
  /** In the database of the side. Undefined without Postgres. Commits include those of reads. */
  commits?: number;
  rows?: number;
  /** In the history of the workflow. Undefined without Temporal. */
  events?: number;
  eventBytes?: number;
}

interface HistorySize {
  events: number;
  eventBytes: number;
}

/** What a side has written so far. */
interface Written {
  database?: DatabaseCounters | undefined;
  history: HistorySize;
}

/** The mean history of some transactions of a side. Zero without Temporal. */
async function readHistory(temporal: TemporalClient, { name, transactions }: RunningSide): Promise<HistorySize> {
  const { workflowId } = definitionOf(name);
  if (!workflowId) return { events: 0, eventBytes: 0 };
  const histories = await Promise.all(
    transactions.slice(0, historySample).map(({ id }) => temporal.workflow.getHandle(workflowId(id)).describe()),
  );
  return {
    events: mean(histories.map(({ historyLength }) => historyLength)),
    eventBytes: mean(histories.map(({ historySize }) => historySize ?? 0)),
  };
}

/**
 * Counts what each operation that writes leaves in Postgres and in Temporal. Each operation runs `count` times. It needs a pause of 11 s
 * after each operation, so it is not part of the rounds. What the idle programs commit in the same time is subtracted.
 */
export async function measureWrites(
  world: PeersWorld,
  client: Client,
  sides: readonly RunningSide[],
  count: number,
  output: NodeJS.WriteStream,
): Promise<Writes[]> {
  const connection = await Connection.connect({ address: world.temporalAddress });
  const temporal = new TemporalClient({ connection });
  const writing = sides.filter(({ name }) => definitionOf(name).sender);
  const read = async () => {
    await sleep(countersDelayMs);
    const counters = await readDatabaseCounters(client);
    const written = await Promise.all(
      writing.map(async (side): Promise<Written> => {
        const database = counters.get(definitionOf(side.name).database ?? '');
        return { database, history: await readHistory(temporal, side) };
      }),
    );
    return { at: Date.now(), written };
  };
  const operations: readonly Operation[] = ['create', 'send', 'wrong', 'right'];
  const updateProgress = startProgressBar(output, 'Counted', operations.length);
  const writes: Writes[] = [];
  try {
    let previous = await read();
    const idleStart = previous;
    const idleEnd = (previous = await read());
    for (const [done, operation] of operations.entries()) {
      for (const side of writing) {
        if (operation === 'right') await readCodes(side);
        await runOperation(operation, side, count);
      }
      const current = await read();
      const idleShare = (current.at - previous.at) / (idleEnd.at - idleStart.at);
      for (const [index, { name }] of writing.entries()) {
        const [before, after] = [previous.written[index], current.written[index]];
        const [idleBefore, idleAfter] = [idleStart.written[index], idleEnd.written[index]];
        const per = (field: keyof DatabaseCounters) => {
          const grown = (from: Written | undefined, to: Written | undefined) =>
            (to?.database?.[field] ?? 0) - (from?.database?.[field] ?? 0);
          return Math.max(0, grown(before, after) - idleShare * grown(idleBefore, idleAfter)) / count;
        };
        // `create` starts new histories. The other operations make the same ones longer.
        const grownHistory = (field: keyof HistorySize) =>
          (after?.history[field] ?? 0) - (operation === 'create' ? 0 : (before?.history[field] ?? 0));
        writes.push({
          side: name,
          operation,
          ...(after?.database && { commits: per('commits'), rows: per('rows') }),
          ...(definitionOf(name).workflowId && {
            events: grownHistory('events'),
            eventBytes: grownHistory('eventBytes'),
          }),
        });
      }
      previous = current;
      updateProgress(done + 1);
    }
    return writes;
  } finally {
    await connection.close();
  }
}
