import type { ConfirmationReply } from '../../../domain/confirmations/commands';
import { type WorkflowHandle, WorkflowUpdateFailedError } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { domainErrorToProblem } from '../../../api/http/problem';
import { domainErrorTypes } from '../../../domain/domain-error';
import { captureKinds } from '../../../domain/biometrics/biometrics';
import type { PageAction } from '../../../domain/biometrics/capture';
import { confirmations } from '../../../flows/confirmations';
import { deriveCode, digestTypedCode } from '../../../messages/codes';
import type { Keys } from '../../../platform/keys/service-keys';
import * as contract from '../../../workflows/contract/commands';
import type { Action, ScriptedStep } from '../scripted-step';
import type { ScenarioRun } from './scenario-run';

/** One running transaction. Scripted steps change it by the Temporal updates that the API uses. */
export interface SimulatedTransaction {
  handle: WorkflowHandle;
  scenarioRun: ScenarioRun;
  keys: Keys;
  transactionId: string;
  /** The id of the flow run. */
  runId: string;
}

/** Each update has data about an API request. A simulation has no API requests, so all its updates have this constant. */
export const requestInfo: contract.RequestInfo = { fingerprint: 'simulated', rememberResponse: false };
const tokenNames = confirmations.filter(({ kind }) => kind === 'token').map(({ name }) => name);

async function enter({ handle, keys, transactionId, runId }: SimulatedTransaction, value: string): Promise<string> {
  const digests = Object.fromEntries(
    tokenNames.map((name) => [name, digestTypedCode(keys, transactionId, name, value)]),
  );
  const { output } = await handle.executeUpdate(contract.checkFlowCode, { args: [{ runId, digests }, requestInfo] });
  return output.answer.status;
}

/** A wrong code of the same length. */
const wrongCode = (code: string) => code.replace(/.$/, (last) => String((Number(last) + 1) % 10));

async function enterCode(target: SimulatedTransaction, isCorrect: boolean, times: number): Promise<string> {
  const { scenarioRun } = target;
  const awaiting = scenarioRun.run?.awaiting;
  if (!awaiting || !('confirmationId' in awaiting)) return 'the person enters a code, but no token is open';
  const confirmation = scenarioRun.state.confirmations.find(({ id }) => id === awaiting.confirmationId);
  const codeId = confirmation?.codeId ?? awaiting.confirmationId;
  const code = deriveCode(target.keys, target.transactionId, codeId, confirmation?.settings.codeDigits ?? 6);
  const statuses: string[] = [];
  while (statuses.length < times && !statuses.includes('Blocked'))
    statuses.push(await enter(target, isCorrect ? code : wrongCode(code)));
  return `the person enters ${isCorrect ? 'the code' : 'a wrong code'}: ${statuses.join(', ')}`;
}

async function reply(
  { handle, scenarioRun }: SimulatedTransaction,
  answer: ConfirmationReply['reply'],
  description: string,
): Promise<string> {
  const awaiting = scenarioRun.run?.awaiting;
  const confirmationId = awaiting && 'confirmationId' in awaiting ? awaiting.confirmationId : '';
  await handle.executeUpdate(contract.replyToConfirmation, { args: [{ confirmationId, reply: answer }, requestInfo] });
  return `the person ${description}`;
}

async function sendPageSteps(
  { handle, scenarioRun }: SimulatedTransaction,
  steps: readonly PageAction[],
): Promise<void> {
  const biometricsId = scenarioRun.state.biometrics?.at(-1)?.id ?? '';
  for (const step of steps)
    await handle.executeUpdate(contract.applyPageAction, {
      args: [{ ...step, biometricsId, owner: 'person' }, requestInfo],
    });
}

const capture = { imageId: 'simulated', width: 1_600, height: 1_200, sharpness: 200, brightness: 120 };
const submitSteps: readonly PageAction[] = [
  { action: 'consent' },
  ...captureKinds.map((kind): PageAction => ({ action: 'capture', kind, capture })),
  { action: 'submit' },
];

async function submit(target: SimulatedTransaction): Promise<string> {
  const isOpen = target.scenarioRun.state.biometrics?.at(-1)?.status === 'InProgress';
  await sendPageSteps(target, isOpen ? submitSteps : [{ action: 'open' }, ...submitSteps]);
  return 'the person submits the images';
}

async function decide(
  { handle, scenarioRun }: SimulatedTransaction,
  status: 'Approved' | 'Rejected' | 'Inconclusive',
): Promise<string> {
  const biometricsId = scenarioRun.state.biometrics?.at(-1)?.id ?? '';
  const decision = { biometricsId, status, by: 'reviewer', reason: 'simulated' };
  await handle.executeUpdate(contract.decideBiometrics, { args: [decision, requestInfo] });
  return `a reviewer decides: ${status}`;
}

/**
 * Runs a scripted step. Returns a text about what happened; an empty text if nothing happened. Throws the error if the transaction rejects
 * the scripted step.
 */
export async function runScriptedStep(target: SimulatedTransaction, action: Action): Promise<string> {
  const { handle, runId } = target;
  switch (action.does) {
    case 'presses':
      return reply(target, { option: action.option }, `presses ${action.option}`);
    case 'replies':
      return reply(target, { text: action.text }, `replies "${action.text}"`);
    case 'enters':
      return enterCode(target, action.isCorrect, action.times);
    case 'asksAgain':
      await handle.executeUpdate(contract.resendFlow, { args: [{ runId }, requestInfo] });
      return 'the person asks for a further message';
    case 'opens':
      await sendPageSteps(target, [{ action: 'open' }]);
      return 'the person opens the link';
    case 'submits':
      return submit(target);
    case 'isDecided':
      return decide(target, action.status);
    case 'asksToErasePictures':
      await handle.executeUpdate(contract.eraseBiometrics, { args: [{ by: 'caller' }, requestInfo] });
      return 'all images are erased';
    // Nothing happens here: a provider or webhook rejects only when something is sent.
    default:
      return '';
  }
}

/** Describes a rejected scripted step with the error text of the API. Throws the error again if it is not a rejection. */
export function rejectionText(error: unknown, { text, action }: ScriptedStep): string {
  const cause = error instanceof WorkflowUpdateFailedError ? error.cause : undefined;
  if (!(cause instanceof ApplicationFailure)) throw error;
  const type = domainErrorTypes.find((one) => one === cause.type);
  const isReply = action.does === 'presses' || action.does === 'replies';
  if (type === 'ReplyRefused' && isReply)
    return `"${text}" was rejected: there is no open question, or the answer matches none of its replies`;
  return `"${text}" was rejected: ${type ? domainErrorToProblem(type, {}).message : cause.message}`;
}
