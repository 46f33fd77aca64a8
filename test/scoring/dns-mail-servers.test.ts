import { createSocket, type Socket } from 'node:dgram';
import { Resolver } from 'node:dns/promises';
import { once } from 'node:events';
import { createMailServers, type MailResolver } from '../../scoring/evidence/email';

type Records = { mx?: string[] | string; a?: string[] | string; aaaa?: string[] | string };

/** The query gets no response. */
const never = 'never';

/** A query gets a list of records, or fails with an error code. */
function fakeDns(zones: Record<string, Records>) {
  const queries: string[] = [];
  const resolve = async (kind: keyof Records, domain: string): Promise<string[]> => {
    queries.push(`${kind} ${domain}`);
    const records = zones[domain] ? (zones[domain][kind] ?? 'ENODATA') : 'ENOTFOUND';
    if (records === never) return new Promise(() => undefined);
    if (typeof records === 'string') throw Object.assign(new Error(records), { code: records });
    return records;
  };
  const resolver: MailResolver = {
    resolveMx: async (domain) => (await resolve('mx', domain)).map((exchange) => ({ exchange })),
    resolve4: (domain) => resolve('a', domain),
    resolve6: (domain) => resolve('aaaa', domain),
  };
  return { resolver, queries, zones };
}

/** If a domain has no mail server, the lookup queries `gmail.com` to check that DNS works. */
const workingZones = { 'gmail.com': { mx: ['smtp.gmail.test'] } };

describe('mail servers by DNS', () => {
  it.each<[string, 'found' | 'none' | 'unknown', Records]>([
    ['an MX', 'found', { mx: ['mail.a.test'] }],
    ['an MX and a null MX', 'found', { mx: ['', 'mail.a.test'] }],
    ['a null MX', 'none', { mx: [''], a: ['192.0.2.1'] }],
    ['an IPv4 address only', 'found', { a: ['192.0.2.1'] }],
    ['an IPv6 address only', 'found', { aaaa: ['2001:db8::1'] }],
    ['an empty list of MX and an address', 'found', { mx: [], a: ['192.0.2.1'] }],
    ['neither MX nor address', 'none', {}],
    ['an IPv6 address when the query for IPv4 fails', 'found', { a: 'ESERVFAIL', aaaa: ['2001:db8::1'] }],
    ['no IPv6 address when the query for IPv4 fails', 'unknown', { a: 'ETIMEOUT' }],
    ['a name that does not exist', 'none', { mx: 'ENOTFOUND', a: ['192.0.2.1'] }],
    ['a server that fails', 'unknown', { mx: 'ESERVFAIL', a: ['192.0.2.1'] }],
    ['no response', 'unknown', { mx: 'ETIMEOUT' }],
    ['a server that refuses', 'unknown', { mx: 'ECONNREFUSED' }],
  ])('for a domain with %s, the result is: %s', async (_, expected, records) => {
    const { resolver } = fakeDns({ ...workingZones, 'a.test': records });
    expect(await createMailServers({ timeoutMs: 1000, resolver }).lookUp('a.test')).toBe(expected);
  });

  it.each<[string, Record<string, Records>]>([
    ['has no records for any domain', {}],
    ['is not available', { 'gmail.com': { mx: 'ETIMEOUT' } }],
    ['does not answer', { 'gmail.com': { mx: never } }],
  ])('a domain is reported as unknown when DNS %s', async (_, zones) => {
    const servers = createMailServers({ timeoutMs: 50, resolver: fakeDns(zones).resolver });
    expect(await servers.lookUp('a.test')).toBe('unknown');
  });

  it('the lookup of mail servers checks again after a minute whether DNS works', async () => {
    const start = 1_000;
    let now = start;
    const { resolver, queries, zones } = fakeDns({});
    const servers = createMailServers({ timeoutMs: 1000, resolver, now: () => now });
    expect([await servers.lookUp('a.test'), await servers.lookUp('b.test')]).toEqual(['unknown', 'unknown']);
    expect(queries.filter((query) => query === 'mx gmail.com')).toHaveLength(1);
    Object.assign(zones, workingZones);
    now = start + 59_999;
    expect(await servers.lookUp('a.test')).toBe('unknown');
    now = start + 90_000;
    expect(await servers.lookUp('a.test')).toBe('none');
  });

  it.each<[string, Records]>([
    ['MX', { mx: never }],
    ['address', { a: never, aaaa: [] }],
  ])('the lookup of mail servers returns in time when a query for an %s gets no response', async (_, records) => {
    const { resolver } = fakeDns({ ...workingZones, 'a.test': records });
    expect(await createMailServers({ timeoutMs: 20, resolver }).lookUp('a.test')).toBe('unknown');
  });

  it('a lookup of mail servers does not fail, even if the resolver throws an error', async () => {
    const { resolver } = fakeDns(workingZones);
    const brokenResolver = Object.assign(resolver, { resolveMx: () => Promise.reject(undefined as unknown as Error) });
    expect(await createMailServers({ timeoutMs: 1000, resolver: brokenResolver }).lookUp('a.test')).toBe('unknown');
    brokenResolver.resolveMx = () => {
      throw new TypeError('no');
    };
    expect(await createMailServers({ timeoutMs: 1000, resolver: brokenResolver }).lookUp('a.test')).toBe('unknown');
  });

  it('mail servers are unknown, without a query, if the time limit is 0', async () => {
    const { resolver, queries } = fakeDns({ 'a.test': { mx: ['mail.a.test'] } });
    expect(await createMailServers({ timeoutMs: 0, resolver }).lookUp('a.test')).toBe('unknown');
    expect(queries).toEqual([]);
  });
});

describe('cached results', () => {
  const countMxQueries = (queries: string[], domain: string) =>
    queries.filter((query) => query === `mx ${domain}`).length;

  it.each<[string, Records, number]>([
    ['found', { mx: ['mail.a.test'] }, 3_600_000],
    ['none', { mx: [''] }, 3_600_000],
    ['unknown', { mx: 'ESERVFAIL' }, 30_000],
  ])('cached results expire after their lifetime: %s', async (expected, records, cachedMs) => {
    const start = 1_000;
    let now = start;
    const { resolver, queries } = fakeDns({ ...workingZones, 'a.test': records });
    const servers = createMailServers({ timeoutMs: 1000, resolver, now: () => now });
    await servers.lookUp('a.test');
    now = start + cachedMs;
    expect([await servers.lookUp('A.TEST'), countMxQueries(queries, 'a.test')]).toEqual([expected, 1]);
    now = start + cachedMs + 1;
    expect([await servers.lookUp('a.test'), countMxQueries(queries, 'a.test')]).toEqual([expected, 2]);
  });

  it('concurrent requests share one lookup', async () => {
    const { resolver, queries } = fakeDns({ ...workingZones, 'a.test': { mx: ['mail.a.test'] } });
    const servers = createMailServers({ timeoutMs: 1000, resolver });
    expect(await Promise.all([servers.lookUp('a.test'), servers.lookUp('a.test'), servers.lookUp('a.test')])).toEqual([
      'found',
      'found',
      'found',
    ]);
    expect(countMxQueries(queries, 'a.test')).toBe(1);
  });

  it('results are cached for 10,000 domains, and the result that was not used for the longest time is removed first', async () => {
    const { resolver, queries } = fakeDns(workingZones);
    const servers = createMailServers({ timeoutMs: 60_000, resolver, now: () => 1_000 });
    for (let index = 0; index < 10_000; index += 1) await servers.lookUp(`d${index}.test`);
    await servers.lookUp('d0.test');
    expect(countMxQueries(queries, 'd0.test')).toBe(1);
    await servers.lookUp('one-more.test');
    await servers.lookUp('d1.test');
    await servers.lookUp('d0.test');
    expect([countMxQueries(queries, 'd0.test'), countMxQueries(queries, 'd1.test')]).toEqual([1, 2]);
  });

  it('a lookup gives its answer, even if the domain is removed from the cache meanwhile', async () => {
    const servers = createMailServers({ timeoutMs: 60_000, resolver: fakeDns(workingZones).resolver });
    const lookups = Array.from({ length: 10_001 }, (_, index) => servers.lookUp(`d${index}.test`));
    expect(new Set(await Promise.all(lookups))).toEqual(new Set(['none']));
  });
});

describe('a DNS server on the network', () => {
  let server: Socket;

  const readQuestion = (packet: Buffer) => {
    const labels: string[] = [];
    let offset = 12;
    for (let length = packet[offset] ?? 0; length > 0; length = packet[offset] ?? 0) {
      labels.push(packet.toString('latin1', offset + 1, offset + 1 + length));
      offset += 1 + length;
    }
    return { name: labels.join('.'), type: packet.readUInt16BE(offset + 1), end: offset + 5 };
  };

  /** A response of RFC 1035 with one record, or none. `rcode`: 0 for success, 2 if the server failed, 3 if the name does not exist. */
  const buildResponse = (packet: Buffer, rcode: number, data?: Buffer) => {
    const { type, end } = readQuestion(packet);
    const response = Buffer.from(packet.subarray(0, end));
    response.writeUInt16BE(0x8180 | rcode, 2);
    response.writeUInt16BE(data ? 1 : 0, 6);
    response.writeUInt32BE(0, 8);
    if (!data) return response;
    const record = Buffer.alloc(12);
    record.writeUInt16BE(0xc00c, 0);
    record.writeUInt16BE(type, 2);
    record.writeUInt16BE(1, 4);
    record.writeUInt16BE(data.length, 10);
    return Buffer.concat([response, record, data]);
  };

  const [typeA, typeMx] = [1, 15];
  const ownMx = Buffer.from([0, 10, 4, ...Buffer.from('mail'), 0xc0, 12]);
  const nullMx = Buffer.from([0, 0, 0]);
  const responders: Record<string, (packet: Buffer, type: number) => Buffer | undefined> = {
    'gmail.com': (packet, type) => buildResponse(packet, 0, type === typeMx ? ownMx : undefined),
    'mail.test': (packet, type) => buildResponse(packet, 0, type === typeMx ? ownMx : undefined),
    'null.test': (packet, type) => buildResponse(packet, 0, type === typeMx ? nullMx : undefined),
    'address.test': (packet, type) =>
      buildResponse(packet, 0, type === typeA ? Buffer.from([192, 0, 2, 1]) : undefined),
    'bare.test': (packet) => buildResponse(packet, 0),
    'broken.test': (packet) => buildResponse(packet, 2),
    'silent.test': () => undefined,
  };

  beforeAll(async () => {
    server = createSocket('udp4', (packet, from) => {
      const { name, type } = readQuestion(packet);
      const responder = responders[name] ?? ((query: Buffer) => buildResponse(query, 3));
      const response = responder(packet, type);
      if (response) server.send(response, from.port, from.address);
    });
    server.bind(0, '127.0.0.1');
    await once(server, 'listening');
  });

  afterAll(() => server.close());

  const lookUp = (domain: string, timeoutMs: number) => {
    const resolver = new Resolver({ timeout: timeoutMs, tries: 1 });
    resolver.setServers([`127.0.0.1:${server.address().port}`]);
    return createMailServers({ timeoutMs, resolver }).lookUp(domain);
  };

  it.each([
    ['mail.test', 'found'],
    ['null.test', 'none'],
    ['address.test', 'found'],
    ['bare.test', 'none'],
    ['gone.test', 'none'],
    ['broken.test', 'unknown'],
  ])('with a DNS server on the network, the result for %s is: %s', async (domain, expected) => {
    expect(await lookUp(domain, 5000)).toBe(expected);
  });

  it('without a response of the DNS server, the result is unknown', async () => {
    expect(await lookUp('silent.test', 100)).toBe('unknown');
  });
});
