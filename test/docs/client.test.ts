import { Countersign } from '../../client/index';
import { openGuide } from '../support/guide';

const methodsOf = (resource: object) =>
  Object.getOwnPropertyNames(Object.getPrototypeOf(resource)).filter((name) => name !== 'constructor');

test('the guide lists every method of the client', () => {
  const client = new Countersign({ baseUrl: 'http://127.0.0.1', accessToken: () => 'token' });
  const methods = Object.entries(client).map(([part, resource]) => [part, methodsOf(resource as object)]);
  const listed = openGuide('client.md')
    .table('methods')
    .map(([part = '', names = '']) => [part, names.replaceAll('`', '').split(', ')]);
  expect(Object.fromEntries(listed)).toEqual(Object.fromEntries(methods));
});
