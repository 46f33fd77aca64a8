import { Resolver } from 'node:dns/promises';
import type { MailServers } from './mail-servers';

type Answer = Awaited<ReturnType<MailServers['of']>>;

/** What is asked of DNS; the resolver of node:dns/promises is one. */
export interface MailResolver {
  resolveMx(domain: string): Promise<{ exchange: string }[]>;
  resolve4(domain: string): Promise<string[]>;
  resolve6(domain: string): Promise<string[]>;
}

/** Servers hardly ever change within the hour; after a fault, half a minute spares a DNS that is ill. */
const rememberedMs: Record<Answer, number> = { found: 3_600_000, none: 3_600_000, unknown: 30_000 };

/** Whether DNS works is asked anew each minute, so that an outage does not pass for domains that are gone. */
const trustedMs = 60_000;
/** A domain that will have mail servers for as long as there is mail. */
const certain = 'gmail.com';

/** Bounds the memory to some megabytes; the oldest answers go first. */
const domainsMax = 10_000;

/** Asks DNS for MX records and, where there are none, for addresses (RFC 5321 5.1). The servers themselves are not tried. */
export function createMailServers({
  timeoutMs,
  resolver,
  now = Date.now,
}: {
  /** For the whole answer, in milliseconds. 0: nobody is asked and every answer is `unknown`. */
  timeoutMs: number;
  resolver?: MailResolver;
  /** Milliseconds since 1970. */
  now?: () => number;
}): MailServers {
  if (timeoutMs === 0) return { of: async () => 'unknown' };
  const dns = resolver ?? new Resolver({ timeout: timeoutMs, tries: 1 });
  const trust = remember(
    1,
    () => trustedMs,
    now,
    () => within(timeoutMs, hasMailServer(dns, certain)),
  );
  const look = async (domain: string): Promise<Answer> => {
    const answer = await hasMailServer(dns, domain);
    if (answer !== 'absent') return answer;
    return (await trust(certain)) === 'found' ? 'none' : 'unknown';
  };
  const of = remember(
    domainsMax,
    (answer) => rememberedMs[answer],
    now,
    (domain) => within(timeoutMs, look(domain)),
  );
  return { of: (domain) => of(domain.toLowerCase()) };
}

/** `none`: the domain says that it takes no mail. `absent`: DNS does not know the domain, or no server of it. */
async function hasMailServer(dns: MailResolver, domain: string): Promise<Answer | 'absent'> {
  const servers = await records(() => dns.resolveMx(domain));
  if (servers === 'failed') return 'unknown';
  if (servers === 'gone') return 'absent';
  // A null MX (RFC 7505) has an empty exchange.
  if (servers.length > 0) return servers.some(({ exchange }) => exchange !== '') ? 'found' : 'none';
  const addresses = await Promise.all([records(() => dns.resolve4(domain)), records(() => dns.resolve6(domain))]);
  if (addresses.some((list) => Array.isArray(list) && list.length > 0)) return 'found';
  return addresses.includes('failed') ? 'unknown' : 'absent';
}

/** `gone`: there is no such domain. */
async function records<Found>(ask: () => Promise<Found[]>): Promise<Found[] | 'gone' | 'failed'> {
  try {
    return await ask();
  } catch (error) {
    const code = (error as NodeJS.ErrnoException | undefined)?.code;
    if (code === 'ENODATA') return [];
    return code === 'ENOTFOUND' ? 'gone' : 'failed';
  }
}

/** The answer of `work`, or `unknown` after `ms` whatever it does. */
async function within(ms: number, work: Promise<Answer | 'absent'>): Promise<Answer> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Answer>((resolve) => {
    timer = setTimeout(resolve, ms, 'unknown');
  });
  const answer = await Promise.race([work, late]).finally(() => clearTimeout(timer));
  return answer === 'absent' ? 'none' : answer;
}

/** Remembers answers from when they are there for as long as `lifetimeMs` says. Asks at one time for one key share the work. */
function remember(
  max: number,
  lifetimeMs: (answer: Answer) => number,
  now: () => number,
  ask: (key: string) => Promise<Answer>,
): (key: string) => Promise<Answer> {
  const kept = new Map<string, { answer: Promise<Answer>; untilMs: number }>();
  return (key) => {
    const known = kept.get(key);
    if (known && now() < known.untilMs) return known.answer;
    kept.delete(key);
    const [oldest] = kept.size >= max ? kept.keys() : [];
    if (oldest !== undefined) kept.delete(oldest);
    const entry = { answer: ask(key), untilMs: Infinity };
    kept.set(key, entry);
    void entry.answer.then((answer) => {
      entry.untilMs = now() + lifetimeMs(answer);
    });
    return entry.answer;
  };
}
