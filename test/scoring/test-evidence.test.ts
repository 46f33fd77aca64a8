import { withTestEvidence } from '../../scoring/test-evidence';
import type { LinkGraph } from '../../scoring/evidence/links';
import type { Bureau } from '../../scoring/gather-evidence';
import { openTestMode, testDestinations, testDocuments } from '../../messages/test-mode';
import { person } from '../support/build';

const testMode = openTestMode({ COUNTERSIGN_ENV: 'homologation', TEST_MODE: undefined });
if (!testMode) throw new Error('There is no test mode.');

const linkGraph: LinkGraph = {
  addAndFindRelated: async ({ tenant, id: transactionId, createdAt: at }) => {
    const own = { tenant, transactionId, at, confirmed: { phone: false, email: false }, denied: false };
    return { own: { ...own, values: { Document: 'd', Phone: 'p', Email: 'e', ZipCode: 'z' } }, others: [] };
  },
};
const bureau: Bureau = { fetchFindings: async () => [] };
/** The link graph and the bureau, as the service uses them in test mode. */
const sources = withTestEvidence(testMode, { linkGraph, bureauOf: () => bureau });

/** The kinds of data by which a transaction of `person` with these changes is linked. */
const valuesFor = async (changes: object) => {
  const transaction = {
    tenant: 'local',
    id: 'a',
    input: { ...person, ...changes },
    createdAt: '2026-01-01T12:00:00.000Z',
  };
  return Object.keys((await sources.linkGraph.addAndFindRelated(transaction, 'own', 30)).own.values);
};

test('transactions are linked by ordinary values, and not by test values', async () => {
  expect(await valuesFor({})).toEqual(['Document', 'Phone', 'Email', 'ZipCode']);
  expect(await valuesFor({ document: testDocuments.approved.document })).toEqual(['Phone', 'Email', 'ZipCode']);
  const phone = { countryCode: 55, areaCode: 11, number: 900_000_000 };
  expect(await valuesFor({ phone, email: testDestinations.yes.mailbox })).toEqual(['Document', 'ZipCode']);
});

test('the configured bureau is asked about ordinary documents, and never about test documents', async () => {
  expect(sources.bureauOf?.(person)).toBe(bureau);
  for (const { document } of Object.values(testDocuments))
    expect(sources.bureauOf?.({ ...person, document })).not.toBe(bureau);
  const findings = await sources.bureauOf?.({ ...person, document: '000.000.002-72' })?.fetchFindings(person);
  expect(findings).toHaveLength(15);
  expect(new Set(findings?.map(({ relevance }) => relevance))).toEqual(new Set(['Negativo']));
});
