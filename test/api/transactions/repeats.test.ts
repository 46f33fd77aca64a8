import { smsTokenFlow } from '../../../flows/sms-token.flow';
import { ApiWorld } from '../api-world';

let world: ApiWorld;
beforeAll(async () => {
  world = await ApiWorld.open();
  world.dependencies.flowStore = { ...world.dependencies.flowStore, findActive: async () => smsTokenFlow };
});
afterAll(() => world.close());

// While a worker processes a request, Temporal can replace the input with that of a repeat. So both inputs must be equal.
test.each([['sms/tokens'], ['biometrics'], ['flows/sms-token']])(
  'a repeat of POST %s with its idempotency key sends the same command, and a request without a key sends a new command',
  async (endpoint) => {
    const { path } = await world.createTransaction();
    const sendSpy = jest.spyOn(world.transactions, 'send');
    for (const key of ['k', 'k', 'other', undefined, undefined])
      await world.post(`${path}/${endpoint}`, { headers: key === undefined ? {} : { 'idempotency-key': key } });
    const [first, repeat, ...others] = sendSpy.mock.calls.map(([, , { input }]) => JSON.stringify(input));
    expect(repeat).toBe(first);
    expect(new Set([first, ...others]).size).toBe(4);
    sendSpy.mockRestore();
  },
);
