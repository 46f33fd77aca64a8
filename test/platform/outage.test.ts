import { ServiceError, WorkflowUpdateRPCTimeoutOrCancelledError } from '@temporalio/client';
import { isOutage } from '../../platform/outage';
import { serviceError } from '../support/service-error';

const errorWithCode = (code: string, message = 'x') => Object.assign(new Error(message), { code });

test.each([
  ['connection refused', errorWithCode('ECONNREFUSED')],
  ['connection reset', errorWithCode('ECONNRESET')],
  ['broken pipe', errorWithCode('EPIPE')],
  ['no response', errorWithCode('ETIMEDOUT')],
  ['no route to the host', errorWithCode('EHOSTUNREACH')],
  ['no route to the network', errorWithCode('ENETUNREACH')],
  ['unknown host', errorWithCode('ENOTFOUND')],
  ['a DNS outage', errorWithCode('EAI_AGAIN')],
  ['DNS failed', errorWithCode('EAI_FAIL')],
  ['no file descriptor for a socket', errorWithCode('EMFILE')],
  ['a Postgres connection failure', errorWithCode('08006')],
  ['too many connections', errorWithCode('53300')],
  ['disk of Postgres full', errorWithCode('53100')],
  ['disk full', errorWithCode('ENOSPC')],
  ['disk quota reached', errorWithCode('EDQUOT')],
  ['read-only disk', errorWithCode('EROFS')],
  ['broken disk', errorWithCode('EIO')],
  ['statement canceled by its timeout', errorWithCode('57014')],
  ['Postgres shuts down', errorWithCode('57P01')],
  ['Postgres starts', errorWithCode('57P03')],
  ['read-only Postgres', errorWithCode('25006')],
  ['serialization failure', errorWithCode('40001')],
  ['deadlock', errorWithCode('40P01')],
  ['no free connection in the pool', new Error('timeout exceeded when trying to connect')],
  ['no connection in time', new Error('timeout expired')],
  ['connection lost', new Error('Connection terminated unexpectedly')],
  ['connection too slow', new Error('Connection terminated due to connection timeout')],
  ['silent Postgres', new Error('Query read timeout')],
  ['client of a lost connection', new Error('Client has encountered a connection error and is not queryable')],
  ['a Temporal outage', serviceError(14, 'UNAVAILABLE')],
  ['a limit of Temporal', serviceError(8, 'RESOURCE_EXHAUSTED')],
  ['an unwrapped error of Temporal', serviceError(14, 'UNAVAILABLE').cause],
  ['unknown prepared statement', errorWithCode('26000')],
  ['prepared statement that returns other types', errorWithCode('0A000')],
  ['Temporal does not answer in time', serviceError(4, 'DEADLINE_EXCEEDED')],
  ['a canceled call', serviceError(1, 'CANCELLED')],
  ['an error in the store of Temporal', serviceError(2, 'UNKNOWN')],
  ['a call that another one interrupted', serviceError(10, 'ABORTED')],
  ['a lost stream', serviceError(13, 'Received RST_STREAM with code 2 (Internal server error)')],
  ['a workflow whose tasks fail', serviceError(9, 'Workflow Task in failed state')],
  ['no worker answers', new WorkflowUpdateRPCTimeoutOrCancelledError('4 DEADLINE_EXCEEDED')],
])('this error counts as an outage: %s', (_, error) => {
  expect(isOutage(error)).toBe(true);
});

test.each([
  ['unique violation', errorWithCode('23505')],
  ['missing table', errorWithCode('42P01')],
  ['failed transaction', errorWithCode('25P02')],
  ['missing file', errorWithCode('ENOENT')],
  ['missing permission', errorWithCode('EACCES')],
  ['an invalid argument of Node', errorWithCode('ERR_INVALID_ARG_TYPE')],
  ['a code with similar words', errorWithCode('42601', 'Connection terminated')],
  ['an error whose message quotes an outage', new Error('invalid input: "Connection terminated"')],
  ['an argument that Temporal rejects', serviceError(3, 'INVALID_ARGUMENT')],
  ['a call that Temporal does not permit', serviceError(7, 'PERMISSION_DENIED')],
  ['an unknown API key', serviceError(16, 'UNAUTHENTICATED')],
  ['an internal error of Temporal', serviceError(13, 'INTERNAL')],
  ['an error of the client', new ServiceError('Unexpected error', { cause: new TypeError('x is not a function') })],
  ['an internal error', new TypeError('x is not a function')],
  ['an error code that is a number', Object.assign(new Error('x'), { code: 8000 })],
  ['nothing', undefined],
  ['null', null],
  ['a text', 'ECONNREFUSED'],
])('this error does not count as an outage: %s', (_, error) => {
  expect(isOutage(error)).toBe(false);
});
