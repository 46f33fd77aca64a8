import type { BureauFinding, ObservedKind } from '../domain/scoring/evidence';
import { toE164, type TransactionInput } from '../domain/transactions/input';
import type { TestDocument, TestMode } from '../messages/test-mode';
import type { Bureau, EvidenceSources } from './gather-evidence';

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
