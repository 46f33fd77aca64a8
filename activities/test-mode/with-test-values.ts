import type { WorkerConfig } from '../../platform/config';
import { openTestMode, type TestDocument, type TestMode } from '../../messages/test-mode';
import { PostgresDayKeys } from '../../store/messages/day-keys';
import type { DeliveryDependencies } from '../messages/deliver';
import type { EvidenceSources } from '../scoring/gather-evidence';
import { createUsesLocalInbox, withTestDestinations } from './test-channels';
import type { BureauFinding, ObservedKind } from '../../domain/scoring/evidence';
import { toE164, type TransactionInput } from '../../domain/transaction/input';
import type { Bureau } from '../scoring/http-bureau';
import { limits } from '../../domain/transaction/limits';
import type { MessageLimits } from '../messages/limits';

/**
 * In test mode, returns channels, limits and sources of evidence that know the test values. Without test mode, returns the dependencies
 * unchanged. Production never has test mode.
 */
export function withTestValues<Dependencies extends DeliveryDependencies & EvidenceSources>(
  config: WorkerConfig,
  dependencies: Dependencies,
): Dependencies {
  const testMode = openTestMode(config);
  if (!testMode) return dependencies;
  const { pool, keys, channels, limits, logger } = dependencies;
  logger.info('test mode is on: test phones, mailboxes and documents have fixed outcomes');
  const dayKeys = new PostgresDayKeys(pool, keys.serviceKeys);
  return {
    ...dependencies,
    ...withTestEvidence(testMode, dependencies),
    channels: withTestDestinations(channels, {
      testMode,
      pool,
      keys,
      dayKeys,
      isInbox: createUsesLocalInbox(config),
    }),
    limits: withTestLimits(testMode, limits),
  };
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

/** The kinds of data whose value in this transaction is a test value. */
function testKindsOf(testMode: TestMode, { document, phone, email }: TransactionInput): ObservedKind[] {
  const kinds: Partial<Record<ObservedKind, boolean>> = {
    Document: testMode.findDocument(document) !== undefined,
    Phone: phone !== undefined && testMode.findDestination(toE164(phone)) !== undefined,
    Email: email !== undefined && testMode.findDestination(email) !== undefined,
  };
  return (Object.keys(kinds) as ObservedKind[]).filter((kind) => kinds[kind]);
}

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
        const values = { ...own.values };
        for (const kind of testKindsOf(testMode, transaction.input)) delete values[kind];
        return { own: { ...own, values }, others };
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
  const { destinationWindowMs: windowMs } = limits;
  return {
    ofMessage(message, text) {
      const found = testMode.findDestination(message.destination);
      if (!found) return usual.ofMessage(message, text);
      return {
        // `guaranteed`: messages that a tenant may always send.
        destination: { perTenant: found.isAtLimit ? 0 : unlimited, total: unlimited, guaranteed: 0, windowMs },
        daily: [],
        lowAnswerRate: { messages: unlimited, rate: 0, blockHours: 0 },
      };
    },
    ofAttempts: (destination) =>
      testMode.findDestination(destination)
        ? { perTenant: unlimited, total: unlimited, windowMs }
        : usual.ofAttempts(destination),
  };
}
