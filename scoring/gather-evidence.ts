import type { BureauFinding, Evidence, EvidenceAndPolicy, Lookups } from '../domain/scoring/evidence';
import type { Policy } from '../domain/scoring/policy';
import type { TransactionInput } from '../domain/transactions/input';
import { mailDomainOf } from '../messages/mailboxes';
import type { Logger } from '../platform/logger';
import { type AssessedTransaction, findLinks, type LinkGraph } from './evidence/links';
import { findEmail, type MailServers } from './evidence/email';
import { documentEvidence, findAge, motherEvidence, nameEvidence, unknownDocument } from './evidence/person';
import { findCard } from './evidence/card';
import { findPhone, findPostalCode } from './evidence/phone-and-address';

/** The part of a transaction that leaves the service. */
export type BureauPerson = Pick<
  TransactionInput,
  'documentType' | 'document' | 'name' | 'birthdate' | 'mothersName' | 'email' | 'phone' | 'address'
>;

/** An external source of findings about a person. Each finding has a code. */
export interface Bureau {
  /** Undefined if there is no valid response in time. Fails only when the activity is canceled. */
  fetchFindings(person: BureauPerson): Promise<BureauFinding[] | undefined>;
}

/** Sources of evidence outside the transaction itself. */
export interface EvidenceSources {
  linkGraph: LinkGraph;
  mailServers: MailServers;
  /** The bureau to ask about the person of a transaction. Absent, or returns undefined, if there is no bureau to ask. */
  bureauOf?: (input: TransactionInput) => Bureau | undefined;
}

export interface AssessmentDependencies extends EvidenceSources {
  logger: Logger;
  policies: { policyFor(tenant: string): Policy };
}

/**
 * Gathers the evidence on a transaction, and returns it with the policy of the tenant. `earlierLookups`: what the bureau and DNS answered
 * in an earlier assessment.
 */
export async function assess(
  dependencies: AssessmentDependencies,
  { earlierLookups, ...subject }: AssessedTransaction & { earlierLookups: Lookups },
): Promise<EvidenceAndPolicy> {
  const policy = dependencies.policies.policyFor(subject.tenant);
  const onFailure = (finder: string) =>
    dependencies.logger.warn(
      { transactionId: subject.id, finder },
      'a source of evidence failed; the score is computed without its findings',
    );
  return { evidence: await gatherEvidence(dependencies, subject, policy, onFailure, earlierLookups), policy };
}

/** Asks the bureau about the person. Undefined if there is no bureau, or if it gives no findings. */
async function askBureau(bureau: Bureau | undefined, { input }: AssessedTransaction): Promise<Evidence['bureau']> {
  const { documentType, document, name, birthdate, mothersName, email, phone, address } = input;
  const fields = { documentType, document, name, birthdate, mothersName, email, phone, address };
  const person = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
  const findings = await bureau?.fetchFindings(person as BureauPerson);
  return findings && { findings };
}

/** Asks DNS whether the domain of the mailbox has a mail server. Undefined without a mailbox, or if DNS does not answer. */
async function askDns(mailServers: MailServers, { input }: AssessedTransaction): Promise<'found' | 'none' | undefined> {
  const domain = mailDomainOf(input.email ?? '');
  const server = domain === undefined ? 'unknown' : await mailServers.lookUp(domain);
  return server === 'unknown' ? undefined : server;
}

/**
 * Gathers all evidence on a transaction. `onFailure` gets the name of each source that failed. `earlierLookups`: what the bureau and DNS
 * answered in an earlier assessment. The earlier findings of the bureau are used again without a request. The earlier answer of DNS is used
 * only if DNS does not answer now. Fails only if the link graph cannot be read: without the link graph, the score would be too high.
 */
export async function gatherEvidence(
  { linkGraph, mailServers, bureauOf }: EvidenceSources,
  transaction: AssessedTransaction,
  policy: Policy,
  onFailure: (source: string) => void,
  earlierLookups?: Lookups,
): Promise<Evidence> {
  const { sharedWithinDays } = policy.thresholds;
  const bureau = bureauOf?.(transaction.input);
  // The link graph comes first: in an outage of the database, an attempt ends here and sends nothing to third parties.
  const linkedObservations = await linkGraph.addAndFindRelated(transaction, policy.history, sharedWithinDays);
  const [dnsAnswer, bureauFindings] = await Promise.all([
    askDns(mailServers, transaction),
    earlierLookups?.bureau ?? askBureau(bureau, transaction),
  ]);
  const mailServer = dnsAnswer ?? earlierLookups?.mailServer;
  const bureauFailed = bureau !== undefined && bureauFindings === undefined;
  if (bureauFailed) onFailure('bureau');
  const evidence = findEvidence(transaction, onFailure);
  return {
    ...evidence,
    ...(evidence.email && mailServer ? { email: { ...evidence.email, mailServer } } : {}),
    links: findLinks(linkedObservations, sharedWithinDays),
    ...(bureauFindings ? { bureau: bureauFindings } : {}),
    ...(bureauFailed ? { bureauSilent: true as const } : {}),
  };
}

/** The evidence that needs only the input of a transaction, and no other source. */
export type InputEvidence = Pick<
  Evidence,
  'document' | 'phone' | 'postalCode' | 'email' | 'name' | 'mother' | 'age' | 'card'
>;

type Finder = (input: TransactionInput, createdAt: string) => unknown;

/** The function that finds each field of the evidence. It returns undefined if there is nothing to find. */
const finders: Record<keyof InputEvidence, Finder> = {
  document: documentEvidence,
  phone: findPhone,
  postalCode: findPostalCode,
  email: findEmail,
  name: nameEvidence,
  mother: motherEvidence,
  age: findAge,
  card: findCard,
};

/** Finds evidence in the input of a transaction. A finder that fails finds nothing; `onFailure` gets its name. */
export function findEvidence(
  { input, createdAt }: { input: TransactionInput; createdAt: string },
  onFailure: (finder: string) => void,
): InputEvidence {
  const runFinder = (field: string, find: Finder): unknown => {
    try {
      return find(input, createdAt);
    } catch {
      onFailure(field);
      return undefined;
    }
  };
  const found = Object.entries(finders)
    .map(([field, find]) => [field, runFinder(field, find)] as const)
    .filter(([, value]) => value !== undefined);
  // If the finder of the document failed, the document counts as unknown.
  return { document: unknownDocument, ...(Object.fromEntries(found) as Partial<InputEvidence>) };
}
