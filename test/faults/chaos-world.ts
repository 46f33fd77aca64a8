import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, Connection } from '@temporalio/client';
import { temporal } from '@temporalio/proto';
import type { TransactionKeys } from '../../platform/keys/data-keys';
import { openStackConverter, openStackKeys } from '../support/stack-keys';
import { dataPaths } from '../../dev/stack/data-folder';
import { findFreePort } from '../../dev/stack/free-port';
import { type Stack, startStack } from '../../dev/stack/stack';
import type { TransactionView } from '../../domain/transactions/views';
import { createLogger } from '../../platform/logger';
import { openPool, type Pool } from '../../platform/postgres/postgres';
import { transactionWorkflowId, workflowType } from '../../workflows/contract/ids';
import { view } from '../../workflows/contract/commands';
import { CallbackProxy } from './callback-proxy';
import { defaultPatience, InboxPerson, type Patience } from './inbox-person';
import { RetryingCaller } from './retrying-caller';

export const tenant = 'local';
/** An interrupt must stop all started worlds. */
const worldPromises = new Set<Promise<ChaosWorld>>();

/** A Brazilian mobile number, a different one for each `index`. */
export function phoneOf(index: number): ReturnType<ChaosWorld['nextPhone']> {
  // Consecutive numbers have different prefixes: the service blocks a prefix if nobody answers its messages.
  const number = 910_000_000 + ((index * 10_007) % 80_000_000);
  return { fields: { countryCode: 55, areaCode: 11, number }, e164: `+5511${number}` };
}

/** A complete stack in real processes, with a caller and a person. */
export class ChaosWorld {
  #phoneCount = 0;
  #endPromise: Promise<void> | undefined;

  private constructor(
    readonly folder: string,
    readonly stack: Stack,
    readonly callbackProxy: CallbackProxy,
    readonly caller: RetryingCaller,
    readonly person: InboxPerson,
    private readonly patience: Patience,
    private readonly connection: Connection,
    readonly pool: Pool,
  ) {}

  static start(env: NodeJS.ProcessEnv = {}, patience = defaultPatience): Promise<ChaosWorld> {
    const worldPromise = ChaosWorld.#start(env, patience);
    worldPromises.add(worldPromise);
    return worldPromise;
  }

  static async #start(env: NodeJS.ProcessEnv, patience: Patience): Promise<ChaosWorld> {
    const folder = mkdtempSync(join(tmpdir(), 'countersign-chaos-'));
    const callbackProxy = await CallbackProxy.open();
    try {
      const ports = await findFreePorts();
      const stack = await startStack({
        dataDir: join(folder, 'data'),
        ports,
        // The API needs the address of the mail server too, if MESSAGING has it.
        env: { ...env, PUBLIC_URL: callbackProxy.address, SMTP_URL: `smtp://127.0.0.1:${ports.smtp}` },
      });
      callbackProxy.forwardTo(stack.addresses.api);
      const caller = new RetryingCaller(stack.addresses.api, await stack.token(tenant));
      const connection = await Connection.connect({ address: stack.addresses.temporal });
      const pool = openPool(stack.addresses.postgres, createLogger('test', 'silent'));
      return new ChaosWorld(
        folder,
        stack,
        callbackProxy,
        caller,
        new InboxPerson(stack.addresses.inbox, patience),
        patience,
        connection,
        pool,
      );
    } catch (error) {
      await callbackProxy.close();
      throw error;
    }
  }

  /** A new Brazilian mobile number: as `fields` of a transaction, and in E.164. */
  nextPhone(): { fields: { countryCode: number; areaCode: number; number: number }; e164: string } {
    this.#phoneCount += 1;
    return phoneOf(this.#phoneCount);
  }

  /** Waits until Temporal has no open work for the transaction. After this, no message can follow. */
  async waitUntilIdle(transactionId: string): Promise<void> {
    const handle = this.#handle(transactionId);
    const { messageWithinMs } = this.patience;
    const deadline = Date.now() + messageWithinMs;
    for (;;) {
      const { pendingActivities, pendingWorkflowTask } = (await handle.describe()).raw;
      if (!pendingActivities?.length && !pendingWorkflowTask) return;
      if (Date.now() > deadline) throw new Error(`the transaction has open work after ${messageWithinMs / 1_000} s`);
      await sleep(100);
    }
  }

  get keys(): TransactionKeys {
    return openStackKeys(this.stack.dataDir, this.pool);
  }

  /** `at`: the instant of the view, in ISO 8601. */
  queryView(transactionId: string, at: string): Promise<TransactionView> {
    return this.#handle(transactionId).query(view, at);
  }

  readHistory(transactionId: string) {
    return this.#handle(transactionId).fetchHistory();
  }

  /**
   * How many workflow tasks have failed, in all workflow runs of all transactions, by cause. Without `UNHANDLED_COMMAND`: an event that
   * arrives while a workflow ends. The workflow then handles the event first.
   */
  async countFailedTasks(): Promise<Map<string, number>> {
    const { workflow } = new Client({ connection: this.connection });
    const causes = temporal.api.enums.v1.WorkflowTaskFailedCause;
    const failed = new Map<string, number>();
    const query = `WorkflowType = '${workflowType}'`;
    for await (const { history } of workflow.list({ query }).intoHistories({ concurrency: 8 }))
      for (const { workflowTaskFailedEventAttributes } of (history as temporal.api.history.v1.IHistory).events ?? []) {
        const cause = workflowTaskFailedEventAttributes?.cause;
        if (!cause || cause === causes.WORKFLOW_TASK_FAILED_CAUSE_UNHANDLED_COMMAND) continue;
        const name = causes[cause].replace('WORKFLOW_TASK_FAILED_CAUSE_', '');
        failed.set(name, (failed.get(name) ?? 0) + 1);
      }
    return failed;
  }

  #handle(transactionId: string) {
    const dataConverter = openStackConverter(this.stack.dataDir, this.pool);
    const { workflow } = new Client({ connection: this.connection, dataConverter });
    return workflow.getHandle(transactionWorkflowId(tenant, transactionId));
  }

  readWorkerLog(): string {
    return readFileSync(dataPaths(this.stack.dataDir).logFile('worker'), 'utf8');
  }

  readLoggedErrors(): string[] {
    return (['api', 'worker'] as const).flatMap((name) =>
      readFileSync(dataPaths(this.stack.dataDir).logFile(name), 'utf8')
        .split('\n')
        // The levels error and fatal of pino.
        .filter((line) => /"level":[56]0/.test(line)),
    );
  }

  /** With `keepFolder`, the folder with the logs stays. */
  async end({ keepFolder = false } = {}): Promise<void> {
    this.#endPromise ??= this.#end();
    await this.#endPromise;
    if (!keepFolder) rmSync(this.folder, { recursive: true, force: true });
  }

  async #end(): Promise<void> {
    await this.connection.close();
    await this.pool.end();
    await this.stack.stopAll();
    await this.callbackProxy.close();
  }
}

async function findFreePorts() {
  const ports = await Promise.all(Array.from({ length: 6 }, findFreePort));
  const [api = 0, inbox = 0, temporal = 0, temporalUi = 0, postgres = 0, smtp = 0] = ports;
  return { api, inbox, temporal, temporalUi, postgres, smtp };
}

/** Stops every started stack. */
export async function endChaosWorlds(): Promise<void> {
  for (const worldPromise of worldPromises)
    await worldPromise.then(
      (world) => world.end(),
      () => undefined,
    );
}
