import { Resolver } from 'node:dns/promises';

/** Whether a mail domain has a server that accepts mail. */
export interface MailServers {
  /** `unknown` if DNS does not answer in time. Never fails. */
  of(domain: string): Promise<'found' | 'none' | 'unknown'>;
}

type Answer = Awaited<ReturnType<MailServers['of']>>;

/** The part of the resolver of node:dns/promises that is used. */
export interface MailResolver {
  resolveMx(domain: string): Promise<{ exchange: string }[]>;
  resolve4(domain: string): Promise<string[]>;
  resolve6(domain: string): Promise<string[]>;
}

/** Servers rarely change within an hour. After an error, a pause of half a minute relieves a DNS server in trouble. */
const rememberedMs: Record<Answer, number> = { found: 3_600_000, none: 3_600_000, unknown: 30_000 };

/** Whether DNS works is checked again every minute, so that an outage does not look like domains that do not exist. */
const trustedMs = 60_000;
/** A domain that certainly has mail servers. */
const controlDomain = 'gmail.com';

/** Limits the memory to some megabytes; the oldest answers are removed first. */
const domainsMax = 10_000;

/** Looks up MX records in DNS and, without any, addresses (RFC 5321 5.1). It does not connect to the servers. */
export function createMailServers({
  timeoutMs,
  resolver,
  now = Date.now,
}: {
  /** For the whole answer, in milliseconds. 0: no lookup, every answer is `unknown`. */
  timeoutMs: number;
  resolver?: MailResolver;
  /** Milliseconds since 1970. */
  now?: () => number;
}): MailServers {
  if (timeoutMs === 0) return { of: async () => 'unknown' };
  const dns = resolver ?? new Resolver({ timeout: timeoutMs, tries: 1 });
  const dnsWorks = remember(
    1,
    () => trustedMs,
    now,
    () => within(timeoutMs, hasMailServer(dns, controlDomain)),
  );
  const lookUp = async (domain: string): Promise<Answer> => {
    const answer = await hasMailServer(dns, domain);
    if (answer !== 'absent') return answer;
    return (await dnsWorks(controlDomain)) === 'found' ? 'none' : 'unknown';
  };
  const of = remember(
    domainsMax,
    (answer) => rememberedMs[answer],
    now,
    (domain) => within(timeoutMs, lookUp(domain)),
  );
  return { of: (domain) => of(domain.toLowerCase()) };
}

/** `none`: the domain declares that it accepts no mail. `absent`: DNS knows no such domain, or no server of it. */
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

/** `gone`: the domain does not exist. */
async function records<Found>(ask: () => Promise<Found[]>): Promise<Found[] | 'gone' | 'failed'> {
  try {
    return await ask();
  } catch (error) {
    const code = (error as NodeJS.ErrnoException | undefined)?.code;
    if (code === 'ENODATA') return [];
    return code === 'ENOTFOUND' ? 'gone' : 'failed';
  }
}

/** The answer of `work`, or `unknown` after `ms`. */
async function within(ms: number, work: Promise<Answer | 'absent'>): Promise<Answer> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Answer>((resolve) => {
    timer = setTimeout(resolve, ms, 'unknown');
  });
  const answer = await Promise.race([work, late]).finally(() => clearTimeout(timer));
  return answer === 'absent' ? 'none' : answer;
}

/** Caches answers for `lifetimeMs`, and shares the work of concurrent calls with the same key. */
function remember(
  max: number,
  lifetimeMs: (answer: Answer) => number,
  now: () => number,
  ask: (key: string) => Promise<Answer>,
): (key: string) => Promise<Answer> {
  const cached = new Map<string, { answer: Promise<Answer>; untilMs: number }>();
  return (key) => {
    const known = cached.get(key);
    if (known && now() < known.untilMs) return known.answer;
    cached.delete(key);
    const [oldest] = cached.size >= max ? cached.keys() : [];
    if (oldest !== undefined) cached.delete(oldest);
    const entry = { answer: ask(key), untilMs: Infinity };
    cached.set(key, entry);
    void entry.answer.then((answer) => {
      entry.untilMs = now() + lifetimeMs(answer);
    });
    return entry.answer;
  };
}
