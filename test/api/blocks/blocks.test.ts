import { randomUUID } from 'node:crypto';
import { openPool, type Pool } from '../../../platform/postgres/postgres';
import { createLogger } from '../../../platform/logger';
import { ApiWorld, problemShape } from '../api-world';
import { startPostgres, type TestPostgres } from '../../support/postgres';

let postgres: TestPostgres;
let pool: Pool;
let world: ApiWorld;

beforeAll(async () => {
  postgres = await startPostgres();
  const databaseUrl = await postgres.createDatabase();
  pool = openPool(databaseUrl, createLogger('test', 'silent'));
  world = await ApiWorld.open({ DATABASE_URL: databaseUrl });
});
afterAll(async () => {
  await world.close();
  await pool.end();
  await postgres.stop();
});

/** A block stops messages to phones with this prefix. `minutesAgo`: the age of the block. */
async function addBlock(prefix: string, minutesAgo: number, tenant = 'local'): Promise<string> {
  const { rows } = await pool.query<{ id: string }>(
    `insert into send_blocks (tenant, prefix, reason, sent, answered, created_at, ends_at)
      values ($1, $2, 'lowAnswerRate', 20, 1, now() - $3 * interval '1 minute', now() + interval '1 hour') returning id`,
    [tenant, prefix, minutesAgo],
  );
  return rows[0]?.id ?? '';
}

interface Body {
  blocks: { id: string; prefix: string }[];
  next?: string;
}

const list = async (query = '', token?: string): Promise<Body> => {
  const { status, body } = await world.request(`/v1/blocks${query}`, token === undefined ? {} : { token });
  expect(status).toBe(200);
  return body as Body;
};

test('blocks are listed newest first, in pages, each with its reason', async () => {
  const oldest = await addBlock('+55119000', 3);
  const middle = await addBlock('+55119001', 2);
  const newest = await addBlock('+55119002', 1);
  await addBlock('+55119003', 1, 'other');
  const first = await list('?limit=2');
  expect(first.blocks.map(({ id }) => id)).toEqual([newest, middle]);
  expect(first.blocks[0]).toEqual({
    id: newest,
    prefix: '+55119002',
    reason: 'lowAnswerRate',
    sent: 20,
    answered: 1,
    createdAt: expect.stringMatching(/Z$/),
    endsAt: expect.stringMatching(/Z$/),
  });
  const second = await list(`?limit=2&after=${first.next}`);
  expect([second.blocks.map(({ id }) => id), second.next]).toEqual([[oldest], undefined]);
  expect((await list('', await world.issueToken('other'))).blocks.map(({ prefix }) => prefix)).toEqual(['+55119003']);
});

test('a removed block is not listed any more, and the audit log has its removal', async () => {
  const id = await addBlock('+55119010', 1);
  const response = await world.request(`/v1/blocks/${id}`, { method: 'DELETE' });
  expect(response.status).toBe(204);
  expect((await list()).blocks.map((block) => block.id)).not.toContain(id);
  const { rows } = await pool.query('select tenant, owner, action, detail from audit_log');
  expect(rows).toEqual([{ tenant: 'local', owner: id, action: 'block_removed', detail: {} }]);
  expect((await world.request(`/v1/blocks/${id}`, { method: 'DELETE' })).body).toMatchObject(
    problemShape('block_not_found', 404),
  );
});

test.each([
  ['an unknown block', () => randomUUID()],
  ['an id that is not a UUID', () => "x'; drop table send_blocks"],
  ['the block of another tenant', () => addBlock('+55119020', 1, 'other')],
])('%s cannot be removed', async (_, idOf) => {
  const response = await world.request(`/v1/blocks/${encodeURIComponent(await idOf())}`, { method: 'DELETE' });
  expect(response.body).toMatchObject(problemShape('block_not_found', 404));
});

test.each(['?limit=0', '?after=x'])('a list of blocks with the query %s is rejected', async (query) => {
  expect((await world.request(`/v1/blocks${query}`)).body).toMatchObject(problemShape('validation_failed', 400));
});
