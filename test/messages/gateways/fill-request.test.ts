import { fillRequest, placeholdersOf } from '../../../messages/gateways/fill-request';

const values = {
  baseUrl: 'https://sms.example',
  to: '+5511987654321',
  text: 'código "1" & {{to}}',
  secondsLeft: 300,
  user: 'u',
  password: 'p',
};
const request = { method: 'POST', url: '{{baseUrl}}/send', headers: {} } as const;

test('values fill JSON, and a text that is only a number becomes a number', () => {
  const json = {
    to: '{{to}}',
    body: { text: 'Acme: {{text}}', ttl: '{{secondsLeft}}', note: '{{secondsLeft}} s' },
    list: ['{{to}}', 1, null],
  };
  const { body, headers } = fillRequest({ ...request, json }, values);
  expect(headers).toEqual({ 'content-type': 'application/json' });
  // A value is not filled again, whatever a person or a caller has put into it.
  expect(JSON.parse(body ?? '')).toEqual({
    to: '+5511987654321',
    body: { text: 'Acme: código "1" & {{to}}', ttl: 300, note: '300 s' },
    list: ['+5511987654321', 1, null],
  });
});

test('values fill a form and headers, and two values make basic credentials', () => {
  const headers = { Authorization: 'Basic {{base64 user:password}}' };
  const filled = fillRequest({ ...request, headers, form: { to: '{{to}}', text: '{{text}}' } }, values);
  expect(filled.headers).toEqual({
    'content-type': 'application/x-www-form-urlencoded',
    authorization: `Basic ${Buffer.from('u:p').toString('base64')}`,
  });
  expect(Object.fromEntries(new URLSearchParams(filled.body))).toEqual({ to: values.to, text: values.text });
});

test('values in a URL are encoded, except the address of the gateway at its beginning', () => {
  const filled = fillRequest({ ...request, method: 'GET', url: '{{baseUrl}}/find?to={{to}}&text={{text}}' }, values);
  expect(filled).toEqual({
    method: 'GET',
    url: 'https://sms.example/find?to=%2B5511987654321&text=c%C3%B3digo%20%221%22%20%26%20%7B%7Bto%7D%7D',
    headers: {},
  });
});

test('all placeholders of a request are found', () => {
  const headers = { a: '{{base64 user:password}}' };
  expect(placeholdersOf({ ...request, headers, json: [{ b: 'x {{to}}' }] })).toEqual([
    'baseUrl',
    'user',
    'password',
    'to',
  ]);
});
