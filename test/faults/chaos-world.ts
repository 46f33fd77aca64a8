import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, Connection } from '@temporalio/client';
import { dataFolder } from '../../dev/stack/data-folder';
import { findFreePort } from '../../dev/stack/free-port';
import { type Stack, startStack } from '../../dev/stack/stack';
import { transactionWorkflowId } from '../../workflows/contract';
import { CallbackGate } from './callback-gate';
import { InboxPerson } from './inbox-person';
import { PatientCaller } from './patient-caller';

/** The slowest way to rest: an attempt that died with its worker is noticed after 10 s, then waits and looks. */
const idleWithinMs = 60_000;

const tenant = 'local';
const getWorld = new Set<Promise<ChaosWorld>>();

/** A whole stack on real parts, a caller in front of it and a person behind it. */
export class ChaosWorld {
  #phones = 0;
  #ended: Promise<void> | undefined;

  private constructor(
    readonly folder: string,
    readonly stack: Stack,
    readonly gate: CallbackGate,
    readonly caller: PatientCaller,
    readonly person: InboxPerson,
    private readonly connection: Connection,
  ) {}

  /** Starts a stack on free ports and a folder of its own. */
  static start(env: NodeJS.ProcessEnv = {}): Promise<ChaosWorld> {
    const starting = ChaosWorld.#start(env);
    getWorld.add(starting);
    return starting;
  }

  static async #start(env: NodeJS.ProcessEnv): Promise<ChaosWorld> {
    const folder = mkdtempSync(join(tmpdir(), 'countersign-chaos-'));
    // The folder of mkdtemp is private, but the user of Postgres has to enter it.
    chmodSync(folder, 0o755);
    const gate = await CallbackGate.open();
    try {
      const stack = await startStack({
        dataDir: join(folder, 'data'),
        ports: await findFreePorts(),
        env: { ...env, PUBLIC_URL: gate.address },
      });
      gate.forwardTo(stack.addresses.api);
      const caller = new PatientCaller(stack.addresses.api, await stack.token(tenant));
      const connection = await Connection.connect({ address: stack.addresses.temporal });
      return new ChaosWorld(folder, stack, gate, caller, new InboxPerson(stack.addresses.inbox), connection);
    } catch (error) {
      await gate.close();
      throw error;
    }
  }

  /** A Brazilian mobile number that nobody had before. */
  nextPhone(): { fields: { countryCode: number; areaCode: number; number: number }; dialed: string } {
    this.#phones += 1;
    const number = 910_000_000 + this.#phones;
    return { fields: { countryCode: 55, areaCode: 11, number }, dialed: `+5511${number}` };
  }

  /** Waits until nothing is under way in a transaction, by Temporal's word and not by our records: nothing can be sent any more. */
  async waitUntilIdle(transactionId: string): Promise<void> {
    const handle = this.#handle(transactionId);
    const deadline = Date.now() + idleWithinMs;
    for (;;) {
      const { pendingActivities, pendingWorkflowTask } = (await handle.describe()).raw;
      if (!pendingActivities?.length && !pendingWorkflowTask) return;
      if (Date.now() > deadline) throw new Error(`not at rest after ${idleWithinMs / 1_000} s`);
      await sleep(100);
    }
  }

  readHistory(transactionId: string) {
    return this.#handle(transactionId).fetchHistory();
  }

  #handle(transactionId: string) {
    const { workflow } = new Client({ connection: this.connection });
    return workflow.getHandle(transactionWorkflowId(tenant, transactionId));
  }

  /** What the workers wrote to their log so far. */
  readWorkerLog(): string {
    return readFileSync(dataFolder(this.stack.dataDir).logFile('worker'), 'utf8');
  }

  /** Stops everything. The folder with its logs stays when somebody will want to look into it. */
  async end({ keepFolder = false } = {}): Promise<void> {
    this.#ended ??= this.#end();
    await this.#ended;
    if (!keepFolder) rmSync(this.folder, { recursive: true, force: true });
  }

  async #end(): Promise<void> {
    await this.connection.close();
    await this.stack.stopAll();
    await this.gate.close();
  }
}

async function findFreePorts() {
  const found = await Promise.all(Array.from({ length: 5 }, findFreePort));
  const [api = 0, inbox = 0, temporal = 0, temporalUi = 0, postgres = 0] = found;
  return { api, inbox, temporal, temporalUi, postgres };
}

/** Stops every stack that was started: for who was interrupted. */
export async function endChaosWorlds(): Promise<void> {
  for (const starting of getWorld)
    await starting.then(
      (world) => world.end(),
      () => undefined,
    );
}
