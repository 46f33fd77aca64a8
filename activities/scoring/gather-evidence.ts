import type { Evidence } from '../../domain/scoring/evidence';
import type { Lookups } from '../../domain/scoring/lookups';
import type { Policy } from '../../domain/scoring/policy';
import type { Bureau } from './bureau';
import { domainOf } from './evidence/email';
import { findEvidence } from './evidence/find-evidence';
import { findLinks } from './evidence/links';
import type { History, Subject } from './history';
import type { MailServers } from './mail-servers';

/** Where evidence beyond the transaction itself comes from. */
export interface Sources {
  history: History;
  mailServers: MailServers;
  /** Absent when none is set up. */
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
 * All evidence on a transaction, as of now. What is `known` from an earlier look stands where a source outside is not
 * asked again (a bureau) or does not answer (DNS). Fails only when the history does: without it the score would be told
 * too high.
 */
export async function gatherEvidence(
  { history, mailServers, bureau }: Sources,
  subject: Subject,
  policy: Policy,
  onFailure: (finder: string) => void,
  known?: Lookups,
): Promise<Evidence> {
  const { sharedWithinDays } = policy.thresholds;
  // First: while the database is away the attempt ends here, and nobody outside is asked once per attempt.
  const surroundings = await history.observe(subject, policy.history, sharedWithinDays);
  const [asked, outside] = await Promise.all([
    askDns(mailServers, subject),
    known?.bureau ?? askBureau(bureau, subject),
  ]);
  const mailServer = asked ?? known?.mailServer;
  const silent = bureau !== undefined && outside === undefined;
  if (silent) onFailure('bureau');
  const found = findEvidence(subject, onFailure);
  return {
    ...found,
    ...(found.email && mailServer ? { email: { ...found.email, mailServer } } : {}),
    links: findLinks(surroundings, sharedWithinDays),
    ...(outside ? { bureau: outside } : {}),
    ...(silent ? { bureauSilent: true as const } : {}),
  };
}
