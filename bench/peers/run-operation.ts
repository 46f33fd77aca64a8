import { type CallMeasurement, measureCalls } from '../worker/bench-caller';
import type { SideCaller, SideTransaction } from './side-caller';
import type { Operation, SideName } from './sides';

/** Calls at the same time. */
const concurrency = 10;
/** Six digits like a code, so that it is compared like one. One of a million transactions has this code. */
const wrongCode = '000000';

/** A side that runs. */
export interface RunningSide {
  name: SideName;
  caller: SideCaller;
  /** The newest transactions of the side. */
  transactions: SideTransaction[];
  /** The codes that the persons of these transactions have received, by the id of the transaction. */
  codes: Map<string, string>;
}

/** Reads the codes of all transactions. A person does this between two operations, so it is not part of one. */
export async function readCodes({ caller, transactions, codes }: RunningSide): Promise<void> {
  codes.clear();
  for (const transaction of transactions) codes.set(transaction.id, await caller.readCode(transaction));
}

/** Runs an operation `count` times, ten at a time. `create` replaces the transactions of the side. Other operations use each once. */
export async function runOperation(operation: Operation, side: RunningSide, count: number): Promise<CallMeasurement> {
  const { caller, codes } = side;
  if (operation === 'create') {
    const created: SideTransaction[] = [];
    const create = async () => void created.push(await caller.create());
    const measurement = await measureCalls([...new Array(count).keys()], concurrency, create);
    side.transactions = created;
    return measurement;
  }
  const call = {
    send: (transaction: SideTransaction) => caller.send(transaction),
    wrong: (transaction: SideTransaction) => caller.check(transaction, wrongCode, false),
    right: (transaction: SideTransaction) => caller.check(transaction, codes.get(transaction.id) ?? '', true),
    query: (transaction: SideTransaction) => caller.read(transaction, 'query'),
    record: (transaction: SideTransaction) => caller.read(transaction, 'record'),
  }[operation];
  return measureCalls(side.transactions.slice(0, count), concurrency, call);
}
