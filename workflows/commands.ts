import { CancellationScope, currentUpdateInfo, isCancellation, setHandler, workflowInfo } from '@temporalio/workflow';
import { ApplicationFailure } from '@temporalio/common';
import type { Analyses } from './analyses';
import type { BiometricsLinks } from './biometrics-links';
import type { BiometricsReview } from './biometrics-review';
import type { Confirmations } from './confirmations';
import * as contract from './contract';
import { unexpectedError, withDetails } from './failures';
import type { FlowRuns } from './flow-runs';
import { Idempotency, type WithResponse } from './idempotency';
import { type LiveTransaction, logUnexpected } from './live-transaction';

/** A command of a transaction. To add one: docs/contributing.md, "Add a command". */
interface CommandDefinition<Input, Output> {
  command: contract.Command<Input, Output>;
  description: string;
  /**
   * The precondition: throws the domain error that `run` would throw. `check` runs before Temporal accepts the update, so a rejected
   * command adds nothing to the history.
   */
  check: (input: Input) => void;
  /** Makes the change. `withResponse`: see `WithResponse`. Needed only if a repeat would not find the change in the state. */
  run: (input: Input, withResponse: WithResponse<Output>) => Promise<Output>;
  /** Set for analyses. There are many responses to analyses, so these responses have their own limit: see `limits.rememberedAnalyses`. */
  kind?: { analysis: true };
}

/** The id of an attempt at a code: the id of its update. So the attempt counts once, even if the workflow gets the same update again. */
const attemptId = (): string => currentUpdateInfo()?.id ?? workflowInfo().runId;

/** The parts of a transaction that execute its commands. */
export interface CommandDependencies {
  confirmations: Confirmations;
  analyses: Analyses;
  links: BiometricsLinks;
  review: BiometricsReview;
  flows: FlowRuns;
}

/** Registers every command of a transaction. */
export function registerCommands(live: LiveTransaction, dependencies: CommandDependencies): void {
  const { confirmations, analyses, links, review, flows } = dependencies;
  const idempotency = new Idempotency(live);
  const addCommand = <Input, Output>(definition: CommandDefinition<Input, Output>) =>
    register(live, idempotency, definition);

  addCommand({
    command: contract.requestConfirmation,
    description: 'Ask the person for a confirmation',
    check: (proposal) => confirmations.checkRequest(proposal),
    run: (proposal, withResponse) => confirmations.request(proposal, withResponse),
  });
  addCommand({
    command: contract.checkConfirmationCode,
    description: 'Check a code',
    check: (token) => confirmations.checkAnswer(token),
    run: (token, withResponse) => confirmations.answer(token, attemptId(), withResponse),
  });
  addCommand({
    command: contract.replyToConfirmation,
    description: 'Apply the reply of the person',
    check: (reply) => confirmations.checkReply(reply),
    run: (reply, withResponse) => confirmations.reply(reply, withResponse),
  });
  addCommand({
    command: contract.analyse,
    description: 'Reassess the transaction and return an analysis',
    check: (request) => analyses.check(request),
    run: (request) => analyses.analyse(request),
    kind: { analysis: true },
  });
  addCommand({
    command: contract.requestBiometrics,
    description: 'Create a biometrics link and send it',
    check: (proposal) => links.checkRequest(proposal),
    run: (proposal) => links.request(proposal),
  });
  addCommand({
    command: contract.applyPageAction,
    description: 'Apply an action of the person on the hosted page',
    check: (action) => links.checkPageAction(action),
    run: (action) => links.applyPageAction(action),
  });
  addCommand({
    command: contract.decideBiometrics,
    description: 'Decide on the images',
    check: (decision) => review.checkDecision(decision),
    run: (decision, withResponse) => review.decide(decision, withResponse),
  });
  addCommand({
    command: contract.eraseBiometrics,
    description: 'Erase all images',
    check: () => review.checkErasure(),
    run: (erasure) => review.erase(erasure),
  });
  addCommand({
    command: contract.startFlow,
    description: 'Start a flow run',
    check: (plan) => flows.checkStart(plan),
    run: (plan) => flows.start(plan),
  });
  addCommand({
    command: contract.checkFlowCode,
    description: 'Check the code that a flow run waits for',
    check: (answer) => flows.checkAnswer(answer),
    run: (answer, withResponse) => flows.answer(answer, attemptId(), withResponse),
  });
  addCommand({
    command: contract.resendFlow,
    description: 'Resend the message of a flow run',
    check: (run) => flows.checkResend(run),
    run: (run, withResponse) => flows.resend(run, withResponse),
  });
  addCommand({
    command: contract.cancelFlow,
    description: 'Cancel a flow run',
    check: (run) => flows.checkCancel(run),
    run: (run, withResponse) => flows.cancel(run, withResponse),
  });
}

function register<Input, Output>(
  live: LiveTransaction,
  idempotency: Idempotency,
  definition: CommandDefinition<Input, Output>,
): void {
  const { command, description, check, kind } = definition;
  const run = async (input: Input, withResponse: WithResponse<Output>) => {
    const { saveCount } = live;
    const output = await definition
      .run(input, withResponse)
      .catch((error: unknown) => throwCommandError(command.name, error));
    // A command that changes nothing answers from the state. So the record must not be ahead of the state.
    if (live.saveCount === saveCount) await live.runExclusive(() => live.save());
    return output;
  };
  setHandler(
    command,
    // If an operator cancels the workflow, a command still continues: its message may already be sent, and its caller must get the answer.
    (input, request) =>
      CancellationScope.nonCancellable(() =>
        idempotency.runOnce<Output>(request, (withResponse) => run(input, withResponse), kind),
      ),
    {
      description,
      validator: (input, _request) => {
        if (idempotency.isRepeat()) return;
        try {
          check(input);
        } catch (error) {
          throw withDetails(error, { savedVersion: live.savedVersion });
        }
      },
    },
  );
}

/**
 * Throws an error that fails only the command. Without this function, an unexpected error of a handler would fail the workflow task, and
 * Temporal would retry this task forever.
 */
function throwCommandError(name: string, error: unknown): never {
  if (error instanceof ApplicationFailure || isCancellation(error)) throw error;
  logUnexpected(name, error);
  throw unexpectedError();
}
