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

/** The slowest case: Temporal notices the dead attempt after 10 s, then the retry waits and looks for the message. */
const idleWithinMs = 60_000;

const tenant = 'local';
const getWorld = new Set<Promise<ChaosWorld>>();

/** A whole stack of real parts, with a caller and a person. */
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

  /** Starts a stack on free ports and with its own folder. */
  static start(env: NodeJS.ProcessEnv = {}): Promise<ChaosWorld> {
    const starting = ChaosWorld.#start(env);
    getWorld.add(starting);
    return starting;
  }

  static async #start(env: NodeJS.ProcessEnv): Promise<ChaosWorld> {
    const folder = mkdtempSync(join(tmpdir(), 'countersign-chaos-'));
    // mkdtemp makes the folder private, but the Postgres user must enter it.
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

  /** A Brazilian mobile number that was not used before. */
  nextPhone(): { fields: { countryCode: number; areaCode: number; number: number }; dialed: string } {
    this.#phones += 1;
    const number = 910_000_000 + this.#phones;
    return { fields: { countryCode: 55, areaCode: 11, number }, dialed: `+5511${number}` };
  }

  /** Waits until Temporal has no open work for a transaction, so that nothing more can be sent. */
  async waitUntilIdle(transactionId: string): Promise<void> {
    const handle = this.#handle(transactionId);
    const deadline = Date.now() + idleWithinMs;
    for (;;) {
      const { pendingActivities, pendingWorkflowTask } = (await handle.describe()).raw;
      if (!pendingActivities?.length && !pendingWorkflowTask) return;
      if (Date.now() > deadline) throw new Error(`the transaction has open work after ${idleWithinMs / 1_000} s`);
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

  /** The log of the workers. */
  readWorkerLog(): string {
    return readFileSync(dataFolder(this.stack.dataDir).logFile('worker'), 'utf8');
  }

  /** Stops everything. With `keepFolder`, the folder with the logs stays. */
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

/** Stops every started stack, after an interrupt. */
export async function endChaosWorlds(): Promise<void> {
  for (const starting of getWorld)
    await starting.then(
      (world) => world.end(),
      () => undefined,
    );
}
