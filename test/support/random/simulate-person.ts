import { WorkflowUpdateFailedError } from '@temporalio/client';
import { type FlowRun, isRunning } from '../../../domain/flows/run';
import { type AwaitedView, viewRun } from '../../../domain/flows/view-run';
import { deriveCode } from '../../../messages/codes';
import { testKeys } from '../build';
import type { TestTransaction } from '../world';
import type { PersonAction, SimulatedPerson } from './any-person';
import type { Clock } from './clock';

/** The most actions of a person in one visit of a step. After them, the person waits for the deadline of the step. */
const actionsPerVisit = 6;
/** Pauses between two reads of the flow run, if the person has nothing to do. */
const [firstPollMs, longestPollMs] = [1_000, 3_600_000];

/** Acts in a step that asks for a code. */
async function answer(transaction: TestTransaction, runId: string, { kind }: PersonAction): Promise<void> {
  const state = await transaction.readState();
  const confirmation = state.confirmations.at(-1);
  if (!confirmation) return;
  const code = deriveCode(
    testKeys,
    transaction.id,
    confirmation.codeId ?? confirmation.id,
    confirmation.settings.codeDigits,
  );
  const wrongCode = code.replace(/^./, (digit) => String((Number(digit) + 1) % 10));
  if (kind === 'confirms') await transaction.answerFlow(runId, code);
  if (kind === 'denies') await transaction.reply(confirmation.id, { deny: true });
  if (kind === 'answersWrong') await transaction.answerFlow(runId, wrongCode);
  // The loop ends because the rejection of an attempt is thrown.
  if (kind === 'alwaysAnswersWrong') for (;;) await transaction.answerFlow(runId, wrongCode);
  if (kind === 'requestsAgain') await transaction.resendFlow(runId);
}

/** Acts in a step that asks a question. */
async function reply(transaction: TestTransaction, runId: string, { kind }: PersonAction): Promise<void> {
  const id = (await transaction.readState()).confirmations.at(-1)?.id ?? '';
  if (kind === 'confirms') await transaction.reply(id, { option: 1 });
  if (kind === 'denies') await transaction.reply(id, { text: 'Não!' });
  if (kind === 'answersWrong') await transaction.reply(id, { text: 'quem é?' });
  if (kind === 'requestsAgain') await transaction.resendFlow(runId);
}

/** Acts before the images are submitted. */
async function actOnLink(transaction: TestTransaction, id: string, { kind }: PersonAction): Promise<void> {
  if (kind === 'confirms') await transaction.submitImages(id);
  if (kind === 'answersWrong') await transaction.sendPageAction(id, 'mine', { action: 'open' });
  if (kind === 'erases') await transaction.eraseImages();
}

/** Acts as the reviewer, or as the caller who erases images. */
async function review(transaction: TestTransaction, id: string, { kind }: PersonAction): Promise<void> {
  if (kind === 'confirms') await transaction.decide(id, 'Approved');
  if (kind === 'denies') await transaction.decide(id, 'Rejected');
  if (kind === 'answersWrong') await transaction.decide(id, 'Inconclusive');
  if (kind === 'erases') await transaction.eraseImages();
}

/** A rejected action changes nothing. */
async function act(
  transaction: TestTransaction,
  runId: string,
  awaited: Exclude<AwaitedView, { kind: 'time' }>,
  action: PersonAction,
): Promise<void> {
  const perform = {
    token: () => answer(transaction, runId, action),
    reply: () => reply(transaction, runId, action),
    images: () => actOnLink(transaction, 'biometricsId' in awaited ? awaited.biometricsId : '', action),
    decision: () => review(transaction, 'biometricsId' in awaited ? awaited.biometricsId : '', action),
  }[awaited.kind];
  await perform().catch((error: unknown) => {
    if (!(error instanceof WorkflowUpdateFailedError)) throw error;
  });
}

/** Simulates a person until the flow run ends, or until `giveUpAtMs`. Returns the flow run as it was last saved. */
export async function simulatePerson(
  transaction: TestTransaction,
  runId: string,
  { actions }: SimulatedPerson,
  clock: Clock,
  giveUpAtMs: number,
): Promise<FlowRun> {
  let [actionIndex, visitCount, actionsInVisit, pollMs] = [0, 0, 0, firstPollMs];
  for (;;) {
    const state = await transaction.readState();
    const run = state.runs?.find(({ id }) => id === runId);
    if (!run) throw new Error('The state has no such flow run.');
    const nowMs = await clock.now();
    if (!isRunning(run) || nowMs > giveUpAtMs) return run;
    if (run.path.length !== visitCount) [visitCount, actionsInVisit, pollMs] = [run.path.length, 0, firstPollMs];
    const { awaited } = viewRun(state, run);
    const deadlineMs = awaited && Date.parse('until' in awaited ? awaited.until : awaited.expiresAt);
    const action = actions[actionIndex % actions.length];
    const remainingMs = Math.max(0, (deadlineMs ?? nowMs) - nowMs - clock.quietBeforeDeadlineMs);
    if (!awaited || awaited.kind === 'time' || !action || actionsInVisit >= actionsPerVisit || remainingMs === 0) {
      // Without a deadline, or after the deadline, each pause is twice as long as the pause before.
      await clock.sleepUntil(Math.max(deadlineMs ?? 0, nowMs + pollMs));
      pollMs = Math.min(2 * pollMs, longestPollMs);
      continue;
    }
    [actionIndex, actionsInVisit] = [actionIndex + 1, action.kind === 'ignores' ? actionsPerVisit : actionsInVisit + 1];
    if (action.kind === 'ignores') continue;
    await clock.sleepUntil(nowMs + remainingMs * action.delayShare);
    const currentState = await transaction.readState();
    if (currentState.runs?.find(({ id }) => id === runId)?.path.length === visitCount)
      await act(transaction, runId, awaited, action);
  }
}
