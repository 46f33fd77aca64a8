import type { Evidence } from '../../domain/scoring/evidence';
import type { Lookups } from '../../domain/scoring/lookups';
import type { Policy } from '../../domain/scoring/policy';
import type { Bureau } from './http-bureau';
import { domainOf } from './evidence/email';
import { findEvidence } from './evidence/find-evidence';
import { findLinks } from './evidence/links';
import type { History, Subject } from './history';
import type { MailServers } from './dns-mail-servers';

/** Sources of evidence outside the transaction itself. */
export interface Sources {
  history: History;
  mailServers: MailServers;
  /** Absent if none is configured. */
  bureau?: Bureau;
}

async function askBureau(bureau: Bureau | undefined, { input }: Subject): Promise<Evidence['bureau']> {
  const { documentType, document, name, birthdate, mothersName, email, phone, address } = input;
  const asked = { documentType, document, name, birthdate, mothersName, email, phone, address };
  const person = Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== undefined));
  const findings = await bureau?.findings(person as Parameters<Bureau['findings']>[0]);
  return findings && { findings };
}

async function askDns(mailServers: MailServers, { input }: Subject): Promise<'found' | 'none' | undefined> {
  const domain = domainOf(input.email ?? '');
  const server = domain === undefined ? 'unknown' : await mailServers.of(domain);
  return server === 'unknown' ? undefined : server;
}

/**
 * All evidence on a transaction as of now. `known` has results of an earlier assessment: it replaces a second request to a bureau,
 * and DNS when it does not answer. Fails only if the history fails, because without it the score would be too high.
 */
export async function gatherEvidence(
  { history, mailServers, bureau }: Sources,
  subject: Subject,
  policy: Policy,
  onFailure: (finder: string) => void,
  known?: Lookups,
): Promise<Evidence> {
  const { sharedWithinDays } = policy.thresholds;
  // First: during an outage of the database, the attempts end here and send no requests to third parties.
  const surroundings = await history.observe(subject, policy.history, sharedWithinDays);
  const [dnsAnswer, bureauFindings] = await Promise.all([
    askDns(mailServers, subject),
    known?.bureau ?? askBureau(bureau, subject),
  ]);
  const mailServer = dnsAnswer ?? known?.mailServer;
  const silent = bureau !== undefined && bureauFindings === undefined;
  if (silent) onFailure('bureau');
  const found = findEvidence(subject, onFailure);
  return {
    ...found,
    ...(found.email && mailServer ? { email: { ...found.email, mailServer } } : {}),
    links: findLinks(surroundings, sharedWithinDays),
    ...(bureauFindings ? { bureau: bureauFindings } : {}),
    ...(silent ? { bureauSilent: true as const } : {}),
  };
}
