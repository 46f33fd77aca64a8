import { WorkflowUpdateFailedError } from '@temporalio/client';
import { type FlowRun, isRunning } from '../../../domain/flows/run';
import { type Awaited, viewRun } from '../../../domain/flows/view-run';
import { deriveCode } from '../../../platform/codes';
import { testKeys } from '../build';
import type { TestTransaction } from '../world';
import type { Action, Person } from './any-person';
import type { Clock } from './clock';

/** Actions in one visit; afterwards the person waits. */
const actionsPerVisit = 6;
const [firstPollMs, longestPollMs] = [1_000, 3_600_000];

async function answer(transaction: TestTransaction, runId: string, { does }: Action): Promise<void> {
  const state = await transaction.state();
  const confirmation = state.confirmations.at(-1);
  if (!confirmation) return;
  const code = deriveCode(testKeys, transaction.id, confirmation.id, confirmation.settings.codeDigits);
  const wrong = code.replace(/^./, (digit) => String((Number(digit) + 1) % 10));
  if (does === 'confirms') await transaction.answerFlow(runId, code);
  if (does === 'denies') await transaction.reply(confirmation.id, { deny: true });
  if (does === 'answersWrong') await transaction.answerFlow(runId, wrong);
  // Until it is rejected.
  if (does === 'alwaysAnswersWrong') for (;;) await transaction.answerFlow(runId, wrong);
  if (does === 'requestsAgain') await transaction.resendFlow(runId);
}

async function reply(transaction: TestTransaction, runId: string, { does }: Action): Promise<void> {
  const id = (await transaction.state()).confirmations.at(-1)?.id ?? '';
  if (does === 'confirms') await transaction.reply(id, { option: 1 });
  if (does === 'denies') await transaction.reply(id, { text: 'Não!' });
  if (does === 'answersWrong') await transaction.reply(id, { text: 'quem é?' });
  if (does === 'requestsAgain') await transaction.resendFlow(runId);
}

async function show(transaction: TestTransaction, id: string, { does }: Action): Promise<void> {
  if (does === 'confirms') await transaction.submitImages(id);
  if (does === 'answersWrong') await transaction.step(id, 'mine', { step: 'open' });
  if (does === 'erases') await transaction.eraseImages();
}

async function review(transaction: TestTransaction, id: string, { does }: Action): Promise<void> {
  if (does === 'confirms') await transaction.decide(id, 'Approved');
  if (does === 'denies') await transaction.decide(id, 'Rejected');
  if (does === 'answersWrong') await transaction.decide(id, 'Inconclusive');
  if (does === 'erases') await transaction.eraseImages();
}

/** Performs an action. A rejected action changes nothing. */
async function act(
  transaction: TestTransaction,
  runId: string,
  awaited: Exclude<Awaited, { kind: 'time' }>,
  action: Action,
): Promise<void> {
  const doing = {
    token: () => answer(transaction, runId, action),
    reply: () => reply(transaction, runId, action),
    images: () => show(transaction, 'biometricsId' in awaited ? awaited.biometricsId : '', action),
    decision: () => review(transaction, 'biometricsId' in awaited ? awaited.biometricsId : '', action),
  }[awaited.kind];
  await doing().catch((error: unknown) => {
    if (!(error instanceof WorkflowUpdateFailedError)) throw error;
  });
}

/** Simulates a person until the run ends or `giveUpAtMs`. Returns the last saved run. */
export async function simulatePerson(
  transaction: TestTransaction,
  runId: string,
  { actions }: Person,
  clock: Clock,
  giveUpAtMs: number,
): Promise<FlowRun> {
  let [actionIndex, visit, actionsInVisit, pollMs] = [0, 0, 0, firstPollMs];
  for (;;) {
    const state = await transaction.state();
    const run = state.runs?.find(({ id }) => id === runId);
    if (!run) throw new Error('The run has no record.');
    const at = await clock.now();
    if (!isRunning(run) || at > giveUpAtMs) return run;
    if (run.path.length !== visit) [visit, actionsInVisit, pollMs] = [run.path.length, 0, firstPollMs];
    const { awaited } = viewRun(state, run);
    const dueMs = awaited && Date.parse('until' in awaited ? awaited.until : awaited.expiresAt);
    const action = actions[actionIndex % actions.length];
    const leftMs = Math.max(0, (dueMs ?? at) - at - clock.stillBeforeDueMs);
    if (!awaited || awaited.kind === 'time' || !action || actionsInVisit >= actionsPerVisit || leftMs === 0) {
      // Just after the deadline, the run has moved on. Between deadlines, it is polled less and less often.
      await clock.until(Math.max(dueMs ?? 0, at + pollMs));
      pollMs = Math.min(2 * pollMs, longestPollMs);
      continue;
    }
    [actionIndex, actionsInVisit] = [actionIndex + 1, action.does === 'ignores' ? actionsPerVisit : actionsInVisit + 1];
    if (action.does === 'ignores') continue;
    await clock.until(at + leftMs * action.after);
    const now = await transaction.state();
    if (now.runs?.find(({ id }) => id === runId)?.path.length === visit) await act(transaction, runId, awaited, action);
  }
}
