import { ApplicationFailure } from '@temporalio/activity';
import type { Evidence, EvidenceAndPolicy, Lookups } from '../../domain/scoring/evidence';
import type { Policy } from '../../domain/scoring/policy';
import { errorName, type Logger } from '../../platform/logger';
import { isOutage } from '../../platform/outage';
import type { Pool } from '../../platform/postgres/postgres';
import type { Activities, TransactionToReassess } from '../../workflows/contract/activities';
import type { TransactionInput } from '../../domain/transactions/input';
import { type Bureau, createHttpBureau } from './http-bureau';
import { mailDomainOf } from '../../messages/mailboxes';
import { type AssessedTransaction, findLinks, type LinkGraph } from './evidence/links';
import { createMailServers, findEmail, type MailServers } from './evidence/email';
import { documentEvidence, findAge, motherEvidence, nameEvidence, unknownDocument } from './evidence/person';
import { findCard } from './evidence/card';
import { findPhone, findPostalCode } from './evidence/phone-and-address';
import type { WorkerConfig } from '../../platform/config';
import type { Keys } from '../../platform/keys/service-keys';
import { createPostgresLinkGraph } from './postgres-link-graph';

export interface AssessmentDependencies extends EvidenceSources {
  logger: Logger;
  policies: { policyFor(tenant: string): Policy };
}

/**
 * Gathers the evidence on a transaction, and returns it with the policy of the tenant. `earlierLookups`: what the bureau and DNS answered
 * in an earlier assessment.
 */
async function assess(
  dependencies: AssessmentDependencies,
  { earlierLookups, ...subject }: TransactionToReassess,
): Promise<EvidenceAndPolicy> {
  const policy = dependencies.policies.policyFor(subject.tenant);
  const onFailure = (finder: string) =>
    dependencies.logger.warn(
      { transactionId: subject.id, finder },
      'a source of evidence failed; the score is computed without its findings',
    );
  return { evidence: await gatherEvidence(dependencies, subject, policy, onFailure, earlierLookups), policy };
}

/** Creates the activity that finds the first evidence on a transaction. */
export const createAssessor =
  (dependencies: AssessmentDependencies): Activities['assessTransaction'] =>
  (transaction) =>
    assess(dependencies, { ...transaction, earlierLookups: {} });

/**
 * Creates the activity that finds evidence again. Temporal retries the activity while the database is unavailable. Any other error is
 * final, so that the caller gets an answer.
 */
export function createReassessor(dependencies: AssessmentDependencies): Activities['reassessTransaction'] {
  return async (transaction) => {
    try {
      return await assess(dependencies, transaction);
    } catch (error) {
      if (isOutage(error)) throw error;
      dependencies.logger.error({ transactionId: transaction.id, failure: errorName(error) }, 'an analysis failed');
      throw ApplicationFailure.nonRetryable('The analysis failed.', 'AnalysisFailed');
    }
  };
}

/** Sources of evidence outside the transaction itself. */
export interface EvidenceSources {
  linkGraph: LinkGraph;
  mailServers: MailServers;
  /** The bureau to ask about the person of a transaction. Absent, or returns undefined, if there is no bureau to ask. */
  bureauOf?: (input: TransactionInput) => Bureau | undefined;
}

/** Asks the bureau about the person. Undefined if there is no bureau, or if it gives no findings. */
async function askBureau(bureau: Bureau | undefined, { input }: AssessedTransaction): Promise<Evidence['bureau']> {
  const { documentType, document, name, birthdate, mothersName, email, phone, address } = input;
  const fields = { documentType, document, name, birthdate, mothersName, email, phone, address };
  const person = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
  const findings = await bureau?.fetchFindings(person as Parameters<Bureau['fetchFindings']>[0]);
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

/** Opens the sources of evidence that the settings define. */
export function openEvidenceSources(
  config: Pick<WorkerConfig, 'MX_TIMEOUT_MS' | 'BUREAU_URL' | 'BUREAU_TOKEN' | 'BUREAU_TIMEOUT_MS'>,
  { pool, keys, logger }: { pool: Pool; keys: Keys; logger: Logger },
): EvidenceSources {
  const { BUREAU_URL: url, BUREAU_TOKEN: token, BUREAU_TIMEOUT_MS: timeoutMs, MX_TIMEOUT_MS } = config;
  const onFailure = (reason: string) => logger.warn({ reason }, 'the bureau returned no findings');
  const bureau = url ? createHttpBureau({ url, timeoutMs, onFailure, ...(token ? { token } : {}) }) : undefined;
  return {
    linkGraph: createPostgresLinkGraph(pool, keys),
    mailServers: createMailServers({ timeoutMs: MX_TIMEOUT_MS }),
    bureauOf: () => bureau,
  };
}
