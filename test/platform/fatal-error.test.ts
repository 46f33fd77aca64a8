import { ConfigurationError } from '../../platform/config';
import { fatalErrorText } from '../../platform/startup';

class ForOperators extends Error {
  override name = 'ForOperators';
}

test.each([
  ['a setting', new ConfigurationError('PORT: must be a number'), 'ConfigurationError: PORT: must be a number'],
  ['an error for operators', new ForOperators('raise its version'), 'ForOperators: raise its version'],
  ['a database error', Object.assign(new Error('(ana@example.com) already exists'), { code: '23505' }), '23505'],
  ['a gRPC error', Object.assign(new Error('7 PERMISSION_DENIED: ana'), { code: 7 }), 'Error 7'],
  [
    'an error of the Temporal SDK',
    Object.assign(new Error('ana'), { name: 'ServiceError', cause: Object.assign(new Error('ana'), { code: 7 }) }),
    'ServiceError 7',
  ],
  ['a bug', new TypeError('cannot read ana'), 'TypeError'],
  ['no error', undefined, 'unknown'],
])('a fatal error shows its message only if the message is for operators: %s', (_, error, text) => {
  expect(fatalErrorText(error, ForOperators)).toBe(text);
});
