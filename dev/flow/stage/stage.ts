import { Context } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import { createRuleChooser } from '../../../activities/flows/choose-rule';
import { deriveForRun } from '../../../activities/flows/derive-for-run';
import { withAssessment } from '../../../domain/outcome';
import type { Assessment } from '../../../domain/scoring/assessment';
import { defaultPolicy } from '../../../domain/scoring/default-policy';
import type { TransactionState } from '../../../domain/state';
import type { Keys } from '../../../platform/keys';
import type { Activities } from '../../../workflows/ports';
import type { Scene } from './scene';

/** Nothing speaks for the person or against them; a scenario says what is to be found instead. */
const plain: Assessment = {
  evidence: { document: { kind: 'CPF', checkDigits: 'right', repeated: false, alphanumeric: false } },
  policy: defaultPolicy,
};

/** The server skips time, of which the clock of this machine knows nothing. */
const scheduledAt = () => Context.current().info.scheduledTimestampMs;

/** The outside world as scenarios have it: providers that take or refuse, a caller, and findings that are given. */
export function createStage(keys: Keys, scenes: ReadonlyMap<string, Scene>): Activities {
  const sceneOf = (transactionId: string): Scene => {
    const scene = scenes.get(transactionId);
    if (!scene) throw new Error(`There is no scene for ${transactionId}.`);
    return scene;
  };
  const keep = (state: TransactionState) => {
    sceneOf(state.id).keep(state);
  };
  const chooseRule = createRuleChooser();
  /** Facts do not tell whose they are. */
  const sceneHere = () => sceneOf(Context.current().info.workflowExecution?.workflowId.split('/').at(-1) ?? '');
  return {
    ...deriveForRun(keys),
    chooseRule: ({ conditions, facts }) => chooseRule({ conditions, facts: sceneHere().withFindings(facts) }),
    assessTransaction: async (state) => {
      keep(withAssessment(state, plain));
      return plain;
    },
    reassessTransaction: async () => plain,
    recordTransaction: async ({ state }) => {
      keep(state);
      return { granted: true };
    },
    deliverMessage: async (message) => {
      if (!sceneOf(message.transactionId).send(message, scheduledAt()))
        throw ApplicationFailure.nonRetryable('The provider refuses the message.', 'DestinationRefused');
      return { providerId: message.sendId };
    },
    notifyCaller: async ({ transactionId, type }) => sceneOf(transactionId).notify(type, scheduledAt()),
    verifyFaces: async () => null,
    eraseImages: async () => ({ erased: 3 }),
  };
}
