import disposableDomains from 'disposable-email-domains/index.json';
import disposableWildcards from 'disposable-email-domains/wildcard.json';
import { LRUCache } from 'lru-cache';
import type { Evidence } from '../../domain/scoring/evidence';
import type { TransactionInput } from '../../domain/transactions/input';
import { mailDomainOf, splitEmail } from '../../messages/mailboxes';
import { within } from '../../platform/deadline';
import { mailboxResemblance } from '../names';
import { Resolver } from 'node:dns/promises';

/** Domains of disposable mailboxes. Their subdomains do not count as disposable. */
const exactDisposableDomains = new Set<string>(disposableDomains);
/** Domains of disposable mailboxes. All their subdomains count as disposable too. */
const disposableWithSubdomains = new Set<string>(disposableWildcards);

/** Finds evidence in the mail address of a transaction. Undefined if there is no address, or nothing in front of its `@`. */
export function findEmail({ email, name }: TransactionInput): Evidence['email'] {
  const parts = splitEmail(email ?? '');
  if (email === undefined || parts === undefined) return undefined;
  const { localPart, host } = parts;
  const resemblesName = name ? mailboxResemblance(localPart, name) : undefined;
  return {
    disposable: isDisposable(mailDomainOf(email) ?? host.toLowerCase()),
    ...(resemblesName === undefined ? {} : { resemblesName }),
    syntax: [localPart, host].some(hasOddDots) ? 'invalid' : 'valid',
  };
}

/** Whether a part of an address begins or ends with a dot, or has two dots in a row. Mail addresses must not have such dots. */
const hasOddDots = (part: string) => /^\.|\.$|\.\./.test(part);

/** Whether a domain gives temporary (disposable) mailboxes to everybody. */
function isDisposable(domain: string): boolean {
  if (exactDisposableDomains.has(domain)) return true;
  const labels = domain.split('.');
  return labels.some((_, index) => disposableWithSubdomains.has(labels.slice(index).join('.')));
}

/** Whether a mail domain has a server that accepts mail. */
export interface MailServers {
  /** `unknown` if DNS does not answer in time. Never fails. */
  lookUp(domain: string): Promise<'found' | 'none' | 'unknown'>;
}

type Answer = Awaited<ReturnType<MailServers['lookUp']>>;

/** The methods of the resolver of node:dns/promises that the lookup uses. */
export interface MailResolver {
  resolveMx(domain: string): Promise<{ exchange: string }[]>;
  resolve4(domain: string): Promise<string[]>;
  resolve6(domain: string): Promise<string[]>;
}

/**
 * How long an answer is kept and used again. Mail servers rarely change within an hour. After an error, the domain is not looked up again
 * for half a minute, because the DNS server may be overloaded.
 */
const cacheLifetimeMs: Record<Answer, number> = { found: 3_600_000, none: 3_600_000, unknown: 30_000 };

/**
 * How long an answer for the control domain is kept. If DNS finds no mail server of a domain, the service also looks up the control domain,
 * which certainly has mail servers. If DNS finds no mail server of the control domain either, DNS does not work, and the answer for the
 * first domain is `unknown`.
 */
const controlLifetimeMs = 60_000;
const controlDomain = 'gmail.com';

/** Limits the cache to some megabytes. The answers that were not used for the longest time are removed first. */
const domainsMax = 10_000;

/** Looks up MX records in DNS and, if a domain has none, its addresses (RFC 5321 5.1). It does not connect to the servers. */
export function createMailServers({
  timeoutMs,
  resolver,
  now = Date.now,
}: {
  /** Limit for one domain, in milliseconds. With 0 there is no lookup, and every answer is `unknown`. */
  timeoutMs: number;
  resolver?: MailResolver;
  /** Milliseconds since 1970. */
  now?: () => number;
}): MailServers {
  if (timeoutMs === 0) return { lookUp: async () => 'unknown' };
  const dns = resolver ?? new Resolver({ timeout: timeoutMs, tries: 1 });
  /** Keeps each answer for `lifetimeMs`. Concurrent calls with the same domain share one lookup. */
  const cacheAnswers = (
    max: number,
    lifetimeMs: (answer: Answer) => number,
    find: (domain: string) => Promise<Answer | 'absent'>,
  ) =>
    new LRUCache<string, Answer>({
      max,
      perf: { now },
      ttlResolution: 0,
      // The caller gets its answer, even if the domain is removed from the cache during the lookup.
      ignoreFetchAbort: true,
      fetchMethod: async (domain, _known, { options }) => {
        const found = await within(timeoutMs, find(domain), () => 'unknown' as const);
        // Only the control domain can be `absent` here.
        const answer = found === 'absent' ? 'none' : found;
        options.ttl = lifetimeMs(answer);
        return answer;
      },
    });
  const controlAnswers = cacheAnswers(
    1,
    () => controlLifetimeMs,
    (domain) => findMailServer(dns, domain),
  );
  const lookUp = async (domain: string): Promise<Answer> => {
    const answer = await findMailServer(dns, domain);
    if (answer !== 'absent') return answer;
    return (await controlAnswers.forceFetch(controlDomain)) === 'found' ? 'none' : 'unknown';
  };
  const answers = cacheAnswers(domainsMax, (answer) => cacheLifetimeMs[answer], lookUp);
  return { lookUp: (domain) => answers.forceFetch(domain.toLowerCase()) };
}

/** `none`: the domain declares that it accepts no mail. `absent`: DNS does not know the domain, or knows no server of it. */
async function findMailServer(dns: MailResolver, domain: string): Promise<Answer | 'absent'> {
  const servers = await resolveRecords(() => dns.resolveMx(domain));
  if (servers === 'failed') return 'unknown';
  if (servers === 'gone') return 'absent';
  // A null MX (RFC 7505) has an empty exchange.
  if (servers.length > 0) return servers.some(({ exchange }) => exchange !== '') ? 'found' : 'none';
  const addresses = await Promise.all([
    resolveRecords(() => dns.resolve4(domain)),
    resolveRecords(() => dns.resolve6(domain)),
  ]);
  if (addresses.some((list) => Array.isArray(list) && list.length > 0)) return 'found';
  return addresses.includes('failed') ? 'unknown' : 'absent';
}

/** Resolves records of a domain. `gone`: the domain does not exist. `failed`: DNS did not answer. */
async function resolveRecords<Found>(resolve: () => Promise<Found[]>): Promise<Found[] | 'gone' | 'failed'> {
  try {
    return await resolve();
  } catch (error) {
    const code = (error as NodeJS.ErrnoException | undefined)?.code;
    if (code === 'ENODATA') return [];
    return code === 'ENOTFOUND' ? 'gone' : 'failed';
  }
}
