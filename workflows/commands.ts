import { CancellationScope, currentUpdateInfo, isCancellation, setHandler, workflowInfo } from '@temporalio/workflow';
import { ApplicationFailure } from '@temporalio/common';
import { decideOnAction, decideOnErasure, decideOnLink, decideOnReview } from '../domain/biometrics/commands';
import { decideOnCode, decideOnReply, decideOnRequest } from '../domain/confirmations/commands';
import type { Decided } from '../domain/domain-error';
import { decideOnCancel, decideOnResend, decideOnRunCode, decideOnStart } from '../domain/flows/run-commands';
import type { TransactionState } from '../domain/transactions/state';
import { viewConfirmation } from '../domain/transactions/views';
import type { Analyses } from './scoring/analyses';
import type { BiometricsLinks } from './biometrics/biometrics-links';
import type { BiometricsReview } from './biometrics/biometrics-review';
import type { Confirmations } from './confirmations/confirmations';
import * as contract from './contract/commands';
import { toFailure, unexpectedError, unwrap, withDetails } from './failures';
import type { FlowRuns } from './flows/flow-runs';
import { Idempotency, type WithResponse } from './idempotency';
import { logUnexpected } from './background-work';
import { type LiveTransaction, now } from './live-transaction';

/** A command of a transaction. To add one: docs/contributing.md, "Add a command". */
interface CommandDefinition<Input, Output> {
  command: contract.Command<Input, Output>;
  description: string;
  /**
   * Decides on the command without changing anything. Called before Temporal accepts the update, so that a rejected command adds nothing to
   * the history.
   */
  decide: (state: TransactionState, input: Input, at: string) => Decided<object>;
  /** Runs the command. `withResponse`: see `WithResponse`. Needed only if a repeat would not find the change in the state. */
  run: (input: Input, withResponse: WithResponse<Output>) => Promise<Output>;
  /** Set for analyses. There are many responses to analyses, so these responses have their own limit: see `limits.rememberedAnalyses`. */
  kind?: { analysis: true };
}

/** The request of a command that is performed. */
interface CommandContext<Input, Output> {
  input: Input;
  /** When the request arrived. */
  at: string;
  /** The id of the update, so the same if the workflow gets the same update again. */
  updateId: string;
  withResponse: WithResponse<Output>;
}

/** A command that changes the state: the decision is made once more inside the lock, because the state can change before. */
interface ChangeDefinition<Input, Decision extends object, Output>
  extends Pick<CommandDefinition<Input, Output>, 'command' | 'description'> {
  decide: (state: TransactionState, input: Input, at: string) => Decided<Decision>;
  /** Performs the decision inside the lock. Returns the output, or the work that continues outside the lock and gives the output. */
  perform: (decision: Decision, request: CommandContext<Input, Output>) => Promise<Output | (() => Promise<Output>)>;
}

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
  const addChange = <Input, Decision extends object, Output>({
    decide,
    perform,
    ...definition
  }: ChangeDefinition<Input, Decision, Output>) =>
    register<Input, Output>(live, idempotency, {
      ...definition,
      decide,
      run: async (input, withResponse) => {
        const updateId = currentUpdateInfo()?.id ?? workflowInfo().runId;
        const result = await live.runExclusive((at) =>
          perform(unwrap(decide(live.state, input, at)), { input, at, updateId, withResponse }),
        );
        return typeof result === 'function' ? (result as () => Promise<Output>)() : result;
      },
    });

  addChange({
    command: contract.requestConfirmation,
    description: 'Ask the person for a confirmation',
    decide: decideOnRequest,
    perform: async (decided, { withResponse }) => {
      if ('existing' in decided) return viewConfirmation(decided.existing);
      const reserved = confirmations.reserve(decided);
      return () => confirmations.send(reserved, withResponse);
    },
  });
  addChange({
    command: contract.checkConfirmationCode,
    description: 'Check a code',
    decide: decideOnCode,
    perform: (attempt, { updateId, withResponse }) => confirmations.saveAttempt(attempt, updateId, withResponse),
  });
  addChange({
    command: contract.replyToConfirmation,
    description: 'Apply the reply of the person',
    decide: decideOnReply,
    perform: ({ state }, { input, withResponse }) => confirmations.reply(state, input, withResponse),
  });
  register(live, idempotency, {
    command: contract.analyse,
    description: 'Reassess the transaction and return an analysis',
    decide: (state, request) => analyses.decide(state, request),
    run: (request) => analyses.analyse(request),
    kind: { analysis: true },
  });
  addChange({
    command: contract.requestBiometrics,
    description: 'Create a biometrics link and send it',
    decide: decideOnLink,
    perform: async (decided) => {
      const link = 'existing' in decided ? decided.existing : await links.create(decided);
      return () => links.send(link);
    },
  });
  addChange({
    command: contract.applyPageAction,
    description: 'Apply an action of the person on the hosted page',
    decide: decideOnAction,
    perform: (changed) => links.applyPageAction(changed),
  });
  addChange({
    command: contract.decideBiometrics,
    description: 'Decide on the images',
    decide: decideOnReview,
    perform: (changed, { withResponse }) => review.saveDecision(changed, withResponse),
  });
  addChange({
    command: contract.eraseBiometrics,
    description: 'Erase all images',
    decide: decideOnErasure,
    perform: ({ state }, { input, at }) => review.erase(state, input, at),
  });
  addChange({
    command: contract.startFlow,
    description: 'Start a flow run',
    decide: decideOnStart,
    perform: async (decided, { input }) => flows.start(decided, input),
  });
  addChange({
    command: contract.checkFlowCode,
    description: 'Check the code that a flow run waits for',
    decide: decideOnRunCode,
    perform: (attempt, { input, updateId, withResponse }) => flows.saveAttempt(attempt, input, updateId, withResponse),
  });
  addChange({
    command: contract.resendFlow,
    description: 'Resend the message of a flow run',
    decide: decideOnResend,
    perform: ({ run }, { at, withResponse }) => flows.resend(run, at, withResponse),
  });
  addChange({
    command: contract.cancelFlow,
    description: 'Cancel a flow run',
    decide: decideOnCancel,
    perform: (changed, { withResponse }) => flows.cancel(changed, withResponse),
  });
}

function register<Input, Output>(
  live: LiveTransaction,
  idempotency: Idempotency,
  definition: CommandDefinition<Input, Output>,
): void {
  const { command, description, decide, kind } = definition;
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
        const decided = decide(live.state, input, now());
        if ('error' in decided) throw withDetails(toFailure(decided.error), { savedVersion: live.savedVersion });
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
