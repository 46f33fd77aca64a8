import { type ScriptedService, startScriptedService } from './scripted-service';

let service: ScriptedService;
afterEach(() => service.stop());

const collect = async <Item>(items: AsyncIterable<Item>): Promise<Item[]> => {
  const found: Item[] = [];
  for await (const item of items) found.push(item);
  return found;
};

/** Pages of two transactions, such as 1a and 1b. Every third page ends a list. */
const pages = (_: unknown, count: number) => ({
  body: {
    transactions: [{ id: `${count}a` }, { id: `${count}b` }],
    ...(count % 3 === 0 ? {} : { next: `after ${count}` }),
  },
});

test('a list goes through all pages, sends its filter with each request, and loads a page only when it is needed', async () => {
  service = await startScriptedService(pages);
  const { transactions } = service.client();
  expect((await collect(transactions.list({ status: 'Open', limit: 2 }))).map(({ id }) => id)).toEqual([
    ...['1a', '1b', '2a', '2b', '3a', '3b'],
  ]);
  expect(service.received.map(({ path }) => path)).toEqual([
    '/v1/transactions?status=Open&limit=2',
    '/v1/transactions?status=Open&limit=2&after=after+1',
    '/v1/transactions?status=Open&limit=2&after=after+2',
  ]);
  for await (const { id } of transactions.list()) if (id === '4b') break;
  expect(service.received).toHaveLength(4);
});

test('awaiting a list gives only the first page', async () => {
  service = await startScriptedService(pages);
  const page = await service.client().transactions.list();
  expect([page.transactions.length, page.next]).toEqual([2, 'after 1']);
  expect(service.received).toHaveLength(1);
});

test('a search sends the position of the next page in its body', async () => {
  service = await startScriptedService(pages);
  await collect(service.client().transactions.search({ by: 'email', email: 'a@example.com' }));
  expect(service.received.map(({ body }) => (JSON.parse(body) as { after?: string }).after)).toEqual([
    undefined,
    'after 1',
    'after 2',
  ]);
  // Each page request has its own idempotency key.
  expect(new Set(service.received.map(({ headers }) => headers['idempotency-key'])).size).toBe(3);
});

test('a list of events ends at a page that is not full, and a stream waits for new events', async () => {
  const events = Array.from({ length: 5 }, (_, index) => ({ sequence: index + 1 }));
  service = await startScriptedService(({ path }) => {
    const query = new URL(path, 'http://service').searchParams;
    const after = Number(query.get('after') ?? 0);
    const page = events.slice(after, after + Number(query.get('limit') ?? 100));
    return { body: { events: page, next: page.at(-1)?.sequence ?? after } };
  });
  const client = service.client();
  expect(await collect(client.events.list('t', { limit: 2 }))).toHaveLength(5);
  expect(service.received.map(({ path }) => path)).toEqual([
    '/v1/transactions/t/events?limit=2',
    '/v1/transactions/t/events?limit=2&after=2',
    '/v1/transactions/t/events?limit=2&after=4',
  ]);
  const seen: number[] = [];
  for await (const { sequence } of client.events.stream('t', { after: 2 })) {
    seen.push(sequence);
    if (seen.length === 3) break;
  }
  expect(seen).toEqual([3, 4, 5]);
  expect(service.received.at(-1)?.path).toBe('/v1/transactions/t/events?after=2&wait=20');
});
