import type { Biometrics } from '../../domain/biometrics/biometrics';
import type { ConfirmationProposal } from '../../domain/confirmation/settings';
import type { RunPlan } from '../../domain/flows/run';
import type { Keys } from '../../platform/keys/service-keys';
import type { Logger } from '../../platform/logger';
import type { Pool } from '../../platform/postgres/postgres';
import type { TestMode } from '../../messages/test-mode';
import type { DayKeys } from '../../store/messages/provider-events.sql';
import { type Command, requestConfirmation, startFlow, applyPageAction } from '../../workflows/contract';
import type { Dependencies } from '../dependencies';
import type { Target, Transactions } from '../temporal/transactions';
import { TestConfirmations } from './test-confirmations';
import { decideTestReview, planTestReview } from './test-reviewer';

interface TestValueDependencies {
  pool: Pool;
  keys: Keys;
  dayKeys: Pick<DayKeys, 'current'>;
}

/** Returns the dependencies that differ if the API is in test mode. */
export function openTestValues(
  testMode: TestMode,
  { transactions, logger, ...dependencies }: TestValueDependencies & { transactions: Transactions; logger: Logger },
): Pick<Dependencies, 'transactions' | 'decideTestReview'> {
  logger.info('test mode is on: test phones, mailboxes and documents have fixed outcomes');
  return {
    transactions: withTestValues(transactions, { testMode, ...dependencies }),
    decideTestReview: (event) => decideTestReview({ transactions, keys: dependencies.keys }, event),
  };
}

/**
 * Wraps `transactions`, so that commands treat test values as test mode requires. The API does not know the phone of a transaction when it
 * proposes a confirmation, so `send` reads the transaction first.
 */
function withTestValues(
  transactions: Transactions,
  dependencies: TestValueDependencies & { testMode: TestMode },
): Transactions {
  const confirmations = new TestConfirmations(dependencies.testMode, dependencies.keys);
  const stateOf = (target: Target) => transactions.readState(target);

  const inputFor = async (target: Target, command: Command<never, unknown>, input: unknown): Promise<unknown> => {
    if (command.name === requestConfirmation.name)
      return confirmations.proposalFor(await stateOf(target), input as ConfirmationProposal);
    if (command.name === startFlow.name) return confirmations.planFor(await stateOf(target), input as RunPlan);
    return input;
  };

  return {
    ...transactions,
    async send<Input, Output>(...[target, command, request]: Parameters<typeof transactions.send<Input, Output>>) {
      const input = (await inputFor(target, command as Command<never, unknown>, request.input)) as Input;
      const output = await transactions.send(target, command, { ...request, input });
      if (command.name === applyPageAction.name && (output as Biometrics).status === 'Processing')
        await planTestReview(dependencies, await stateOf(target), output as Biometrics);
      return output;
    },
  };
}
