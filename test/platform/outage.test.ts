import { ServiceError, WorkflowUpdateRPCTimeoutOrCancelledError } from '@temporalio/client';
import { isOutage } from '../../platform/outage';

const coded = (code: string, message = 'x') => Object.assign(new Error(message), { code });

test.each([
  ['connection refused', coded('ECONNREFUSED')],
  ['connection reset', coded('ECONNRESET')],
  ['broken pipe', coded('EPIPE')],
  ['no response', coded('ETIMEDOUT')],
  ['no route to the host', coded('EHOSTUNREACH')],
  ['no route to the network', coded('ENETUNREACH')],
  ['unknown host', coded('ENOTFOUND')],
  ['a DNS outage', coded('EAI_AGAIN')],
  ['DNS failed', coded('EAI_FAIL')],
  ['no file descriptor for a socket', coded('EMFILE')],
  ['a Postgres connection failure', coded('08006')],
  ['too many connections', coded('53300')],
  ['disk full', coded('53100')],
  ['statement canceled by its timeout', coded('57014')],
  ['Postgres shuts down', coded('57P01')],
  ['Postgres starts', coded('57P03')],
  ['read-only Postgres', coded('25006')],
  ['serialization failure', coded('40001')],
  ['deadlock', coded('40P01')],
  ['no free connection in the pool', new Error('timeout exceeded when trying to connect')],
  ['no connection in time', new Error('timeout expired')],
  ['connection lost', new Error('Connection terminated unexpectedly')],
  ['connection too slow', new Error('Connection terminated due to connection timeout')],
  ['silent Postgres', new Error('Query read timeout')],
  ['client of a lost connection', new Error('Client has encountered a connection error and is not queryable')],
  ['a Temporal outage', new ServiceError('14 UNAVAILABLE')],
  ['no worker answers', new WorkflowUpdateRPCTimeoutOrCancelledError('4 DEADLINE_EXCEEDED')],
])('an outage: %s', (_, error) => {
  expect(isOutage(error)).toBe(true);
});

test.each([
  ['unique violation', coded('23505')],
  ['missing table', coded('42P01')],
  ['failed transaction', coded('25P02')],
  ['unknown prepared statement', coded('26000')],
  ['missing file', coded('ENOENT')],
  ['missing permission', coded('EACCES')],
  ['an invalid argument of Node', coded('ERR_INVALID_ARG_TYPE')],
  ['a code with similar words', coded('42601', 'Connection terminated')],
  ['a message that quotes others', new Error('invalid input: "Connection terminated"')],
  ['an internal error', new TypeError('x is not a function')],
  ['a number', Object.assign(new Error('x'), { code: 8000 })],
  ['nothing', undefined],
  ['null', null],
  ['a text', 'ECONNREFUSED'],
])('no outage: %s', (_, error) => {
  expect(isOutage(error)).toBe(false);
});
