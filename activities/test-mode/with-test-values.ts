import type { WorkerConfig } from '../../platform/config';
import { type TestDestination, type TestDocument, type TestMode, withTestMode } from '../../messages/test-mode';
import { PostgresDayKeys } from '../../store/messages/day-keys';
import type { DeliveryDependencies } from '../messages/deliver';
import type { EvidenceSources } from '../scoring/gather-evidence';
import { createUsesLocalInbox, withTestDestinations } from './test-channels';
import type { BureauFinding, ObservedKind } from '../../domain/scoring/evidence';
import { toE164, type TransactionInput } from '../../domain/transactions/input';
import type { Bureau } from '../scoring/http-bureau';
import { limits } from '../../domain/transactions/limits';
import type { MessageLimits } from '../messages/limits';

/** In test mode, puts fakes for test values in place of channels, limits and sources of evidence. See `withTestMode`. */
export function withTestValues<Dependencies extends DeliveryDependencies & EvidenceSources>(
  config: WorkerConfig,
  dependencies: Dependencies,
): Dependencies {
  return withTestMode(config, dependencies, (testMode, usual) => {
    const { pool, keys, channels, limits } = usual;
    const dayKeys = new PostgresDayKeys(pool, keys.serviceKeys);
    const isInbox = createUsesLocalInbox(config);
    return {
      ...usual,
      ...withTestEvidence(testMode, usual),
      channels: withTestDestinations(channels, { testMode, pool, keys, dayKeys, isInbox }),
      limits: withTestLimits(testMode, limits),
    };
  });
}

/**
 * How many findings of the bureau a test document has. With the default policy, these findings outweigh all other findings. A score begins
 * at 50. 20 findings of 5 points each raise it to the maximum of 100. 15 findings of -10 points each lower it to 0, even after the person
 * has confirmed the phone and the mailbox.
 */
const findingCounts = { high: 20, low: 15 };

/** The findings that lead to the high or low score of a test document. */
function findingsOf({ score }: TestDocument): BureauFinding[] {
  if (!score) return [];
  return Array.from({ length: findingCounts[score] }, (_, index) => ({
    code: `XT${String(index + 1).padStart(3, '0')}`,
    text: {
      'pt-BR': `Modo de teste: este documento tem pontuação ${score === 'high' ? 'alta' : 'baixa'}`,
      en: `Test mode: this document has a ${score} score`,
      es: `Modo de prueba: este documento tiene una puntuación ${score === 'high' ? 'alta' : 'baja'}`,
    },
    relevance: score === 'high' ? 'Positivo' : 'Negativo',
    relatedTo: ['Document'],
  }));
}

/** The outcomes of the test values in a transaction, by the kind of data. */
const testValuesOf = (
  testMode: TestMode,
  { document, phone, email }: TransactionInput,
): Partial<Record<ObservedKind, object | undefined>> => ({
  Document: testMode.findDocument(document),
  Phone: phone && testMode.findDestination(toE164(phone)),
  Email: testMode.findDestination(email ?? ''),
});

/**
 * Sources of evidence that know test values. A test document gets its findings from a simulated bureau, and the bureau of the settings is
 * not asked about it. Test values do not link transactions, because scores would otherwise depend on earlier tests.
 */
export function withTestEvidence(
  testMode: TestMode,
  { linkGraph, bureauOf }: Pick<EvidenceSources, 'linkGraph' | 'bureauOf'>,
): Pick<EvidenceSources, 'linkGraph' | 'bureauOf'> {
  const testBureauOf = (input: TransactionInput): Bureau | undefined => {
    const document = testMode.findDocument(input.document);
    return document && { fetchFindings: () => Promise.resolve(findingsOf(document)) };
  };
  return {
    bureauOf: (input) => testBureauOf(input) ?? bureauOf?.(input),
    linkGraph: {
      addAndFindRelated: async (transaction, ...parameters) => {
        const { own, others } = await linkGraph.addAndFindRelated(transaction, ...parameters);
        const testValues = testValuesOf(testMode, transaction.input);
        const values = Object.entries(own.values).filter(([kind]) => !testValues[kind as ObservedKind]);
        return { own: { ...own, values: Object.fromEntries(values) }, others };
      },
    },
  };
}

/** More messages and attempts than anybody needs for tests in one day. */
const unlimited = 1_000_000;

/**
 * Test phones and mailboxes have no daily limits, so that tests with them can be repeated. The exception is one test phone and one test
 * mailbox (`isAtLimit`), to which no message can be sent. The limits per confirmation and per transaction apply to all test phones and
 * mailboxes. `usual`: the limits of all other phones and mailboxes.
 */
export function withTestLimits(testMode: TestMode, usual: MessageLimits): MessageLimits {
  const limitsOf = (destination: string): MessageLimits => {
    const found = testMode.findDestination(destination);
    return found ? createTestLimits(found) : usual;
  };
  return {
    ofMessage: (message, text) => limitsOf(message.destination).ofMessage(message, text),
    ofAttempts: (destination) => limitsOf(destination).ofAttempts(destination),
  };
}

function createTestLimits({ isAtLimit }: TestDestination): MessageLimits {
  const destination = { perTenant: unlimited, total: unlimited, windowMs: limits.destinationWindowMs };
  return {
    ofMessage: () => ({
      // `guaranteed`: messages that a tenant may always send.
      destination: { ...destination, ...(isAtLimit ? { perTenant: 0 } : {}), guaranteed: 0 },
      daily: [],
      lowAnswerRate: { messages: unlimited, rate: 0, blockHours: 0 },
    }),
    ofAttempts: () => destination,
  };
}
