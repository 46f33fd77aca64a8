import { Context } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import { createRuleChooser } from '../../../activities/flows/choose-rule';
import { deriveForRun } from '../../../activities/flows/derive-for-run';
import { withAssessment } from '../../../domain/outcome';
import type { TransactionState } from '../../../domain/state';
import type { Keys } from '../../../platform/keys';
import type { Activities } from '../../../workflows/ports';
import { assessOffline } from './assess-offline';
import type { ScenarioRun } from './scenario-run';

/** The server skips time, of which the clock of this machine knows nothing. */
const scheduledAt = () => Context.current().info.scheduledTimestampMs;

/**
 * The outside world as scenarios have it: providers that take or refuse, a caller, and what the analyses find, with the
 * findings that are given in their place.
 */
export function createSimulatedActivities(keys: Keys, scenarioRuns: ReadonlyMap<string, ScenarioRun>): Activities {
  const scenarioRunOf = (transactionId: string): ScenarioRun => {
    const scenarioRun = scenarioRuns.get(transactionId);
    if (!scenarioRun) throw new Error(`There is no scenarioRun for ${transactionId}.`);
    return scenarioRun;
  };
  const keep = (state: TransactionState) => {
    scenarioRunOf(state.id).keep(state);
  };
  const chooseRule = createRuleChooser();
  /** PersonFacts do not tell whose they are. */
  const currentScenarioRun = () =>
    scenarioRunOf(Context.current().info.workflowExecution?.workflowId.split('/').at(-1) ?? '');
  return {
    ...deriveForRun(keys),
    chooseRule: ({ conditions, facts }) => chooseRule({ conditions, facts: currentScenarioRun().withFindings(facts) }),
    assessTransaction: async (state) => {
      const { tenant, id, input, createdAt } = state;
      const assessment = await assessOffline({ tenant, id, input, createdAt });
      keep(withAssessment(state, assessment));
      return assessment;
    },
    reassessTransaction: ({ known, ...subject }) => assessOffline(subject, known),
    saveRecord: async ({ state }) => {
      keep(state);
      return { granted: true };
    },
    deliverMessage: async (message) => {
      if (!scenarioRunOf(message.transactionId).send(message, scheduledAt()))
        throw ApplicationFailure.nonRetryable('The provider refuses the message.', 'DestinationRefused');
      return { providerId: message.sendId };
    },
    notifyCaller: async ({ transactionId, type }) => scenarioRunOf(transactionId).notify(type, scheduledAt()),
    verifyFaces: async () => null,
    eraseImages: async () => ({ erased: 3 }),
  };
}
