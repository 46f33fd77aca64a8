import { costCounter, createRoutes } from '../../../activities/providers/routes';
import { ProviderHealth } from '../../../activities/providers/health';
import { TokenBuckets } from '../../../platform/token-buckets';
import { createLogger } from '../../../platform/logger';
import { composeMessage } from '../../../activities/messages/compose-message';
import { LogLines } from '../../support/log-lines';
import { keys, newMessage, publicUrl } from '../messages/delivery-world';

const logs = new LogLines();
const provider = (name: string) => ({ name, outcomeKnownAfterMs: 0, send: async () => name });
const listed = (name: string, order: number) => ({ name, order, weight: 1, provider: provider(name) });
const channel = { whenUnknown: 'once', providers: [listed('first', 1), listed('second', 2)] } as const;
const open = (channels: Parameters<typeof createRoutes>[0]) => {
  const health = new ProviderHealth(createLogger('test', 'info', logs.stream));
  return createRoutes(channels, { owner: '*', health, buckets: new TokenBuckets() });
};
const openRoutes = () => open({ sms: channel, whatsapp: channel, email: channel, voice: channel });
const messageTo = (destination: string) => composeMessage(keys, publicUrl, newMessage('sms-token', { destination }));

afterEach(() => jest.restoreAllMocks());

test('a provider that fails for one country comes last there for 30 s, and then one message finds out', () => {
  const now = jest.spyOn(Date, 'now').mockReturnValue(0);
  const routes = openRoutes();
  const namesFor = (phone: string) => routes(messageTo(phone)).providers.map(({ name }) => name);
  const [brazil, portugal] = ['+5511987654321', '+351912345678'];
  for (let failures = 0; failures < 5; failures += 1) {
    const route = routes(messageTo(brazil));
    route.onRequest(provider('first'));
    route.onOutcome(provider('first'), 'unknown');
  }
  expect(namesFor(brazil)).toEqual(['second', 'first']);
  expect(namesFor(portugal)).toEqual(['first', 'second']);
  expect(logs.lines.at(-1)).toMatchObject({ provider: 'first', country: '55', outcome: 'unknown' });
  now.mockReturnValue(30_000);
  const probing = routes(messageTo(brazil));
  expect(probing.providers[0]?.name).toBe('first');
  probing.onRequest(provider('first'));
  expect(namesFor(brazil)).toEqual(['second', 'first']);
  probing.onOutcome(provider('first'), 'DestinationRefused');
  expect(namesFor(brazil)).toEqual(['first', 'second']);
  expect(logs.lines.at(-1)).toMatchObject({ provider: 'first', msg: 'a provider works again' });
});

test('the cost of an accepted SMS is that of its segments, by its country', () => {
  const cost = { currency: 'USD', perSegment: { default: 0.5, '55': 0.02 } };
  const providers = [{ ...listed('first', 1), cost }];
  const priced = { whenUnknown: 'once', providers } as const;
  const routes = open({ sms: priced });
  const add = jest.spyOn(costCounter, 'add');
  const accept = (message: ReturnType<typeof messageTo>) => routes(message).onOutcome(provider('first'), 'accepted');
  const brazilian = messageTo('+5511987654321');
  accept({ ...brazilian, text: 'x'.repeat(161) });
  accept(messageTo('+351912345678'));
  routes(brazilian).onOutcome(provider('first'), 'ProviderRefused');
  expect(add.mock.calls).toEqual([
    [0.04, { channel: 'sms', provider: 'first', country: '55', currency: 'USD' }],
    [0.5, { channel: 'sms', provider: 'first', country: '351', currency: 'USD' }],
  ]);
});

test('refusals of a phone are no failures of the provider', () => {
  const routes = openRoutes();
  for (let refusals = 0; refusals < 9; refusals += 1)
    routes(messageTo('+5511987654321')).onOutcome(provider('first'), 'DestinationRefused');
  expect(routes(messageTo('+5511987654321')).providers[0]?.name).toBe('first');
});
