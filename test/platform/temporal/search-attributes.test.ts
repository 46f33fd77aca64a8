import type { Connection } from '@temporalio/client';
import { ConfigurationError } from '../../../platform/config';
import { ensureSearchAttributes } from '../../../platform/temporal/search-attributes';
import { searchAttributes } from '../../../workflows/contract';

const keys = Object.values(searchAttributes);
const names = keys.map(({ name }) => name);
/** The type Keyword in the API of Temporal. */
const keyword = 2;

/**
 * A namespace of Temporal with these search attributes (fields by which operators find workflows). `add` gives the response to each request
 * to add search attributes.
 */
function createNamespace(existing: readonly string[], add: () => Promise<object> = async () => ({})) {
  const added: string[] = [];
  const operatorService = {
    listSearchAttributes: async () => ({
      customAttributes: Object.fromEntries(existing.map((name) => [name, keyword])),
    }),
    addSearchAttributes: async ({ searchAttributes: newAttributes }: { searchAttributes: Record<string, number> }) => {
      added.push(...Object.keys(newAttributes));
      return add();
    },
  };
  return { connection: { operatorService } as unknown as Connection, added };
}

/** gRPC codes: 6 "already exists", 7 "permission denied", 14 "unavailable". */
const rejectWith = (code: number) => () => Promise.reject(Object.assign(new Error('refused'), { code }));

it('no search attribute is added if all exist', async () => {
  const { connection, added } = createNamespace(names, rejectWith(7));
  await ensureSearchAttributes(connection, 'default', keys);
  expect(added).toEqual([]);
});

it('only the missing search attributes are added', async () => {
  const { connection, added } = createNamespace(names.slice(2));
  await ensureSearchAttributes(connection, 'default', keys);
  expect(added).toEqual(names.slice(0, 2));
});

it('no error occurs if another process has added a search attribute in the meantime', async () => {
  const { connection, added } = createNamespace(names.slice(2), rejectWith(6));
  await ensureSearchAttributes(connection, 'default', keys);
  expect(added).toEqual(names.slice(0, 2));
});

it('without permission, the error says how to create the missing search attributes by hand', async () => {
  const { connection } = createNamespace(names.slice(2), rejectWith(7));
  const error: unknown = await ensureSearchAttributes(connection, 'acme.a1b2', keys).catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(ConfigurationError);
  expect((error as Error).message).toBe(
    'Temporal does not allow this process to add search attributes to the namespace acme.a1b2. ' +
      'Create these of type Keyword, then start again: CountersignTenant, CountersignStatus.\n' +
      '  temporal operator search-attribute create --namespace acme.a1b2 --name CountersignTenant --type Keyword --name CountersignStatus --type Keyword\n' +
      '  Temporal Cloud: tcld namespace search-attributes add --namespace acme.a1b2 --search-attribute "CountersignTenant=Keyword" --search-attribute "CountersignStatus=Keyword"',
  );
});

it('any other error of a request to add search attributes is thrown, so that the call is retried', async () => {
  const { connection } = createNamespace([], rejectWith(14));
  await expect(ensureSearchAttributes(connection, 'default', keys)).rejects.toMatchObject({ code: 14 });
});
