import { makeClient, saveClient } from '../../api/clients/clients';
import { flowExample } from '../../api/flows/flow-body';
import { scopes } from '../../api/http/auth/access-tokens';
import { ApiClient } from '../acceptance/support/api-client';
import { fetchContract } from '../acceptance/support/openapi-contract';
import { openStackTokens } from '../acceptance/support/stack-tokens';
import { newPerson } from '../acceptance/support/new-person';
import { createTenantResources, type ResourceIds } from '../acceptance/support/tenant-resources';
import { startTestStack, type TestStack } from '../acceptance/support/test-stack';

const tenant = 'fuzz';

/** Values of valid requests: see valid_values.py. */
export interface FuzzValues {
  inbox: string;
  clientId: string;
  clientSecret: string;
  /** A flow without its name. */
  flow: object;
  /**
   * Four sets, each with a transaction, a flow, a webhook and more. Requests only read the first set, and change or erase the others: see
   * `USED_UP` in valid_values.py.
   */
  resources: ResourceIds[];
  /** A mailbox that the tenant has mailed, and whose owner has opted out. */
  optedOut: string;
  /** A transaction with a code on each channel. */
  withCodes: string;
}

/** Never reached: lower limits would hide other answers. The limits have their own tests. */
const sendingLimits = {
  default: {
    messagesPerDay: 10_000_000,
    messagesPerPrefixPerDay: 10_000_000,
    lowAnswerRate: { messages: 10_000_000, rate: 0, blockHours: 1 },
  },
};

/** A stack with one tenant, its resources, and an access token with all scopes. */
export async function startFuzzStack(): Promise<{ stack: TestStack; token: string; values: FuzzValues }> {
  const stack = await startTestStack({ env: { SENDING_LIMITS: JSON.stringify(sendingLimits), LOG_LEVEL: 'warn' } });
  const { addresses } = stack.stack;
  const tokens = await openStackTokens(stack.stack);
  try {
    const client = makeClient(tenant, [...scopes]);
    await saveClient(tokens.pool, client);
    const token = await tokens.issue(tenant);
    const api = new ApiClient(addresses.api, await fetchContract(addresses.api), token);
    const names = ['fuzz-read', 'fuzz-used', 'fuzz-decided', 'fuzz-erased'];
    const resources = await Promise.all(
      names.map((name, index) =>
        createTenantResources(api, { tenant, pool: tokens.pool, name, prefix: `+55119999${index}` }),
      ),
    );
    const person = newPerson();
    const path = await api.createTransaction(person.body);
    for (const channel of ['emails', 'whatsapps', 'voice']) await api.post(`${path}/${channel}/tokens`);
    await tokens.pool.query(
      `insert into opt_outs (destination, channel) select destination, channel from sends where tenant = $1 and channel = 'email'`,
      [tenant],
    );
    const { clientId, clientSecret } = client;
    const values = {
      ...{ inbox: addresses.inbox, clientId, clientSecret, flow: flowExample, resources },
      ...{ optedOut: person.email, withCodes: path.split('/').at(-1) ?? '' },
    };
    return { stack, token, values };
  } finally {
    await tokens.pool.end();
  }
}
