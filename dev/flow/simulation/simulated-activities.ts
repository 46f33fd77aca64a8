import { Context } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import { createRuleChooser } from '../../../activities/flows/choose-rule';
import { chooseRule as chooseRuleHere } from '../../../activities/flows/condition-tasks';
import { createHashActivities } from '../../../activities/messages/compose-message';
import type { TransactionState } from '../../../domain/transactions/state';
import type { Keys } from '../../../platform/keys/service-keys';
import type { Activities } from '../../../workflows/contract/activities';
import { assessOffline } from './assess-offline';
import type { ScenarioRun } from './scenario-run';

/** The current time of the test server. The server skips time, so the clock of this machine shows another time. */
const readServerTimeMs = () => Context.current().info.scheduledTimestampMs;

/**
 * Activities without real providers, webhooks and database. Each scenario says how the providers and the webhook react, and which results
 * of the analyses are replaced.
 */
export function createSimulatedActivities(keys: Keys, scenarioRuns: ReadonlyMap<string, ScenarioRun>): Activities {
  const scenarioRunOf = (transactionId: string): ScenarioRun => {
    const scenarioRun = scenarioRuns.get(transactionId);
    if (!scenarioRun) throw new Error(`There is no scenario run for ${transactionId}.`);
    return scenarioRun;
  };
  const save = (state: TransactionState) => {
    scenarioRunOf(state.id).saveState(state);
  };
  // A simulation has a process of its own, so it needs no thread.
  const chooseRule = createRuleChooser(async (_tenant, rules) => chooseRuleHere(rules));
  /** The scenario run for an activity whose input has no transaction id: the id is read from the workflow id. */
  const currentScenarioRun = () =>
    scenarioRunOf(Context.current().info.workflowExecution?.workflowId.split('/').at(-1) ?? '');
  return {
    ...createHashActivities(keys),
    chooseRule: ({ facts, ...rules }) => chooseRule({ ...rules, facts: currentScenarioRun().overrideFacts(facts) }),
    assessTransaction: (transaction) => assessOffline(transaction),
    reassessTransaction: ({ earlierLookups, ...subject }) => assessOffline(subject, earlierLookups),
    saveRecord: async ({ state }) => {
      save(state);
      return { attemptAllowed: true };
    },
    reserveSend: async () => ({}),
    deliverMessage: async (message) => {
      if (!scenarioRunOf(message.transactionId).send(message, readServerTimeMs()))
        throw ApplicationFailure.nonRetryable('The provider rejects the message.', 'DestinationRefused');
      return { providerId: message.sendId };
    },
    findDelivery: async ({ sendIds: [sendId = ''] }) => ({
      check: currentScenarioRun().hasArrived(sendId.replace(/\.\d+$/, ''), readServerTimeMs())
        ? 'delivered'
        : 'missing',
    }),
    checkNotification: async ({ transactionId }) => scenarioRunOf(transactionId).notify(readServerTimeMs()),
    verifyFaces: async () => null,
    eraseImages: async () => ({ erased: 3 }),
  };
}
