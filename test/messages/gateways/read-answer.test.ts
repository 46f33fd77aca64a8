import { gatewaySchema } from '../../../messages/gateways/gateway';
import { readFoundIds, readReport, readSendAnswer } from '../../../messages/gateways/read-answer';

const gateway = gatewaySchema.parse({
  channel: 'sms',
  values: {},
  send: {
    request: { method: 'POST', url: 'https://sms.example' },
    id: '/messages/0/id',
    result: {
      at: '/messages/0/status',
      accepted: ['OK', '0'],
      refusals: { BARRED: 'DestinationRefused', ERROR: 'unknown' },
    },
    code: '/messages/0/code',
    statuses: { 420: 'notSent' },
  },
  find: { request: { method: 'GET', url: 'https://sms.example' }, list: '/results', id: '/a~1b' },
  report: {
    list: '/results',
    id: '/id',
    status: '/status/name',
    code: '/error',
    meanings: { DONE: 'delivered', LOST: 'failed' },
  },
});
const message = (fields: object) => ({ messages: [fields] });

test.each<[string, number, unknown, unknown]>([
  ['an accepted message', 200, message({ id: 'm1', status: 'OK' }), { meaning: 'accepted', id: 'm1' }],
  ['a status as a number', 200, message({ id: 7, status: 0 }), { meaning: 'accepted', id: '7' }],
  ['a known refusal', 200, message({ status: 'BARRED', code: 'E1' }), { meaning: 'DestinationRefused', code: 'E1' }],
  ['another refusal', 200, message({ status: 'NO', code: 9 }), { meaning: 'ProviderRefused', code: '9' }],
  [
    'a code that is a phone number',
    200,
    message({ status: 'NO', code: '+5511987654321' }),
    { meaning: 'ProviderRefused', code: 'NO' },
  ],
  [
    'a text in place of a code',
    400,
    message({ code: 'no route to 987654321' }),
    { meaning: 'ProviderRefused', code: '400' },
  ],
  [
    'a status that is a phone number',
    200,
    message({ status: '5511987654321' }),
    { meaning: 'ProviderRefused', code: 'Refused' },
  ],
  ['an error of the gateway', 200, message({ status: 'ERROR' }), { meaning: 'unknown', code: 'ERROR' }],
  ['an answer without a status', 200, message({ id: 'm1' }), { meaning: 'unknown', code: 'NoId' }],
  ['an answer without an id', 200, message({ status: 'OK' }), { meaning: 'unknown', code: 'NoId' }],
  ['an answer that is no JSON', 200, undefined, { meaning: 'unknown', code: 'NoId' }],
  [
    'an id that is far too long',
    200,
    message({ id: 'x'.repeat(201), status: 'OK' }),
    { meaning: 'unknown', code: 'NoId' },
  ],
  [
    'an id of the prototype',
    200,
    { messages: Object.create({ 0: { id: 'm1', status: 'OK' } }) },
    { meaning: 'unknown', code: 'NoId' },
  ],
  ['401', 401, undefined, { meaning: 'accountRefused', code: '401' }],
  ['429', 429, undefined, { meaning: 'notSent', code: '429' }],
  ['a status of the declaration', 420, undefined, { meaning: 'notSent', code: '420' }],
  ['another 4xx', 422, message({ code: 'BAD' }), { meaning: 'ProviderRefused', code: 'BAD' }],
  ['408', 408, undefined, { meaning: 'unknown', code: '408' }],
  ['a redirect', 302, undefined, { meaning: 'unknown', code: '302' }],
  ['500', 500, message({ id: 'm1', status: 'OK' }), { meaning: 'unknown', code: '500' }],
])('%s', (_, status, body, expected) => {
  expect(readSendAnswer(gateway, status, body)).toEqual(expected);
});

test('a search returns the ids, and an answer without a list is an error', () => {
  const { find } = gateway;
  if (!find) throw new Error('The declaration has no search.');
  expect(readFoundIds(find, { results: [{ 'a/b': 'm1' }, {}, { 'a/b': 'm2' }] })).toEqual(['m1', 'm2']);
  expect(() => readFoundIds(find, { error: 'busy' })).toThrow(SyntaxError);
});

test('a report has the statuses that the declaration knows', () => {
  const { report } = gateway;
  if (!report) throw new Error('The declaration has no reports.');
  const results = [
    { id: 'm1', status: { name: 'DONE' } },
    { id: 'm2', status: { name: 'LOST' }, error: 33 },
    { id: 'm3', status: { name: 'ON_ITS_WAY' } },
    { status: { name: 'DONE' } },
  ];
  expect(readReport(report, { results })).toEqual([
    { id: 'm1', status: 'delivered' },
    { id: 'm2', status: 'failed', code: '33' },
  ]);
  expect(readReport(report, {})).toEqual([]);
  expect(readReport({ ...report, list: undefined }, results[0])).toEqual([{ id: 'm1', status: 'delivered' }]);
});
