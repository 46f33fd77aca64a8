import { ConfigurationError } from '../../platform/config';
import { readSendingLimits } from '../../messages/sending-limits';

const readLimits = (json: string, environment: 'local' | 'production' = 'production') =>
  readSendingLimits({ SENDING_LIMITS: json, COUNTERSIGN_ENV: environment });

test('on a local stack, a prefix is blocked after more messages than in production', () => {
  expect(readLimits('{}')('acme').lowAnswerRate.messages).toBe(20);
  expect(readLimits('{}', 'local')('acme').lowAnswerRate.messages).toBe(50);
});

test('each limit of a tenant comes from its own entry, or else from the entry `default`, or else from the defaults of the service', () => {
  const limitsOf = readLimits('{"default":{"messagesPerDay":10},"acme":{"linkDomains":["acme.com"]}}');
  expect(limitsOf('acme')).toMatchObject({ messagesPerDay: 10, linkDomains: ['acme.com'], segmentsPerMessage: 4 });
  expect(limitsOf('other')).toMatchObject({ messagesPerDay: 10, linkDomains: [] });
});

test.each([
  ['a value that is not JSON', '{'],
  ['an unknown limit', '{"default":{"messagePerDay":1}}'],
  ['a negative limit', '{"default":{"spendPerDay":-1}}'],
  ['a domain with a path', '{"default":{"linkDomains":["acme.com/login"]}}'],
  ['a country that is no dial code', '{"default":{"messagesPerCountryPerDay":{"BR":5}}}'],
  ['a rate above 1', '{"default":{"lowAnswerRate":{"messages":20,"rate":10,"blockHours":12}}}'],
  ['a tenant in capitals', '{"Acme":{}}'],
])('%s is reported with the name of the setting', (_, json) => {
  expect(() => readLimits(json)).toThrow(ConfigurationError);
  expect(() => readLimits(json)).toThrow(/SENDING_LIMITS/);
});
