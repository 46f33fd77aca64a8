import type { ConfirmationSettings } from '../../domain/confirmations/settings';
import { destinationOf } from '../../domain/confirmations/send';
import { digestCorrectCode } from '../../messages/codes';
import { type TestDestination, type TestMode, withTestMode } from '../../messages/test-mode';
import type { ApiConfig } from '../../platform/config';
import { type DecisionEvent, saveProviderEvent } from '../../store/messages/provider-events.sql';
import type { Needs } from '../dependencies';

type Fakes = Needs<'termsOf' | 'requestReview' | 'answerHeaders'>;
type Sources = Needs<'transactions' | 'keys' | 'pool' | 'dayKeys' | 'logger'>;

/** In test mode, puts fakes for test values in place of the terms of confirmations and of the reviewers. See `withTestMode`. */
export function withTestValues<Usual extends Fakes & Sources>(config: ApiConfig, dependencies: Usual): Usual {
  return withTestMode(config, dependencies, (testMode, usual) => ({
    ...usual,
    termsOf: createTestTerms(testMode, usual),
    requestReview: createTestReviewers(testMode, usual),
    answerHeaders: { 'X-Countersign-Test-Mode': 'true' },
  }));
}

/**
 * Creates the terms of transactions that may have a test phone or mailbox: the code of zeros, and some settings. The usual terms do not
 * depend on the phone. These terms do, so they read the transaction.
 */
function createTestTerms(
  testMode: TestMode,
  { transactions, keys }: Pick<Sources, 'transactions' | 'keys'>,
): Fakes['termsOf'] {
  return async (target) => {
    const state = await transactions.readState(target);
    return {
      settingsOf: (settings) => {
        const found = testMode.findDestination(destinationOf(state, settings) ?? '');
        return found?.settings ? withChanges(settings, found.settings) : settings;
      },
      digestOf: (confirmationId, settings) => {
        const destination = destinationOf(state, settings);
        return digestCorrectCode(keys, state.id, confirmationId, { ...settings, destination });
      },
    };
  };
}

function withChanges(
  settings: ConfirmationSettings,
  { expiresAfterMs = settings.expiresAfterMs, attemptLimit }: NonNullable<TestDestination['settings']>,
): ConfirmationSettings {
  const resendAfterMs = Math.min(settings.resendAfterMs, expiresAfterMs);
  const hasAttempts = attemptLimit !== undefined && settings.kind === 'token';
  return { ...settings, expiresAfterMs, resendAfterMs, ...(hasAttempts ? { attemptLimit } : {}) };
}

/** The time between the submission of the images and the decision. It is long enough to see the status Processing. */
const decidesAfterMs = 5_000;

/** The client id of the reviewer in the decision and in its event. */
const reviewer = 'test-mode';

/**
 * Creates the reviewer of test documents. The decision arrives later, as an event. The event of a repeated request has the same id, so a
 * repeat changes nothing.
 */
function createTestReviewers(
  testMode: TestMode,
  { transactions, pool, dayKeys }: Pick<Sources, 'transactions' | 'pool' | 'dayKeys'>,
): Fakes['requestReview'] {
  return async (target, biometricsId) => {
    const { input } = await transactions.readState(target);
    const status = testMode.findDocument(input.document)?.review;
    if (!status) return;
    const reason = `Test mode: the reviewer of this test document decides ${status}.`;
    const decision = { biometricsId, status, by: reviewer, reason };
    const event: DecisionEvent = { kind: 'decision', target, decision };
    await saveProviderEvent(pool, dayKeys, `decision:${biometricsId}`, event, decidesAfterMs);
  };
}
