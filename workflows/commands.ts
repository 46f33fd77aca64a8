import { CancellationScope, currentUpdateInfo, isCancellation, setHandler, workflowInfo } from '@temporalio/workflow';
import { ApplicationFailure } from '@temporalio/common';
import type { Analyses } from './analyses';
import type { BiometricsLinks } from './biometrics';
import type { Confirmations } from './confirmations';
import * as contract from './contract';
import { unexpectedError } from './domain-errors';
import type { FlowRuns } from './flow-runs';
import { Idempotency } from './idempotency';
import { type LiveTransaction, logUnexpected } from './live-transaction';

/** A command that a transaction takes. To add one: docs/contributing.md, "Add an update". */
interface CommandRow<Input, Output> {
  command: contract.Command<Input, Output>;
  description: string;
  /** Throws the domain error that the command is certain to end with. Synchronous and pure: what it throws leaves no history. */
  check: (input: Input) => void;
  run: (input: Input) => Promise<Output>;
  /** The answers to analyses, which are many, do not push out those of other commands. */
  kind?: { analysis: true };
}

/** A guess is charged once, however often its update is delivered. */
const attemptId = (): string => currentUpdateInfo()?.id ?? workflowInfo().runId;

export interface CommandDependencies {
  confirmations: Confirmations;
  analyses: Analyses;
  biometrics: BiometricsLinks;
  flows: FlowRuns;
}

/** Every command of a transaction. */
export function registerCommands(live: LiveTransaction, dependencies: CommandDependencies): void {
  const { confirmations, analyses, biometrics, flows } = dependencies;
  const idempotency = new Idempotency(live);
  const take = <Input, Output>(row: CommandRow<Input, Output>) => register(idempotency, row);

  take({
    command: contract.requestConfirmation,
    description: 'Ask the person for a confirmation',
    check: (proposal) => confirmations.checkRequest(proposal),
    run: (proposal) => confirmations.request(proposal),
  });
  take({
    command: contract.answerConfirmation,
    description: 'Try a value on a token',
    check: (token) => confirmations.checkAnswer(token),
    run: (token) => confirmations.answer(token, attemptId()),
  });
  take({
    command: contract.replyToConfirmation,
    description: 'Take the reply of the person',
    check: (reply) => confirmations.checkReply(reply),
    run: (reply) => confirmations.reply(reply),
  });
  take({
    command: contract.analyse,
    description: 'Assess the transaction again',
    check: (request) => analyses.check(request),
    run: (request) => analyses.analyse(request),
    kind: { analysis: true },
  });
  take({
    command: contract.requestBiometrics,
    description: 'Make a biometrics link',
    check: (proposal) => biometrics.checkRequest(proposal),
    run: (proposal) => biometrics.request(proposal),
  });
  take({
    command: contract.takeBiometricsStep,
    description: 'Take a step of the person on the biometrics page',
    check: (step) => biometrics.checkStep(step),
    run: (step) => biometrics.step(step),
  });
  take({
    command: contract.decideBiometrics,
    description: 'Take the decision on the images',
    check: (decision) => biometrics.checkDecision(decision),
    run: (decision) => biometrics.decide(decision),
  });
  take({
    command: contract.eraseBiometrics,
    description: 'Erase all images',
    check: () => biometrics.checkErasure(),
    run: (erasure) => biometrics.erase(erasure),
  });
  take({
    command: contract.startFlow,
    description: 'Start a flow run',
    check: (plan) => flows.checkStart(plan),
    run: (plan) => flows.start(plan),
  });
  take({
    command: contract.answerFlow,
    description: 'Try a value on the code that a flow run waits for',
    check: (answer) => flows.checkAnswer(answer),
    run: (answer) => flows.answer(answer, attemptId()),
  });
  take({
    command: contract.resendFlow,
    description: 'Send the message of a flow run once more',
    check: (run) => flows.checkResend(run),
    run: (run) => flows.resend(run),
  });
  take({
    command: contract.cancelFlow,
    description: 'Cancel a flow run',
    check: (run) => flows.checkCancel(run),
    run: (run) => flows.cancel(run),
  });
}

function register<Input, Output>(idempotency: Idempotency, row: CommandRow<Input, Output>): void {
  const { command, description, check, kind } = row;
  const run = (input: Input) => row.run(input).catch((error: unknown) => failed(command.name, error));
  setHandler(
    command,
    // Whoever asked is answered before an operator's cancel ends the transaction: a message may have gone out already.
    (input, request) => CancellationScope.nonCancellable(() => idempotency.once(request, () => run(input), kind)),
    {
      description,
      validator: (input, _request) => {
        if (!idempotency.isRepeat()) check(input);
      },
    },
  );
}

/** A plain error in a handler would fail the workflow task, which Temporal retries for ever. */
function failed(name: string, error: unknown): never {
  if (error instanceof ApplicationFailure || isCancellation(error)) throw error;
  logUnexpected(name, error);
  throw unexpectedError();
}
