import { Problem } from '../../../api/http/problem';
import { withErasedCheck } from '../../../api/transactions/records';
import { CommandRejected } from '../../../api/transactions/transactions';
import { createDomainError } from '../../../domain/domain-error';
import { DataErasedError } from '../../../platform/keys/data-keys';

const target = { tenant: 'acme', id: 'one' };
const erasedReader = {
  findState: async () => {
    throw new DataErasedError({ tenant: 'acme', owner: 'one' });
  },
};
/** The transaction is not erased. */
const reader = { findState: async () => undefined };

test('an unexpected error of a call about an erased transaction becomes the problem `erased`', async () => {
  await expect(
    withErasedCheck(erasedReader, target, Promise.reject(new TypeError('task failed'))),
  ).rejects.toMatchObject({
    code: 'erased',
  });
});

test.each([new Problem('service_unavailable'), new CommandRejected(createDomainError('TokenClosed', 'late', {}))])(
  'a problem or a rejection stays as it is: %s',
  async (answer) => {
    await expect(withErasedCheck(erasedReader, target, Promise.reject(answer))).rejects.toBe(answer);
  },
);

test('an unexpected error of a call about a transaction that is not erased stays as it is', async () => {
  const error = new TypeError('a bug');
  await expect(withErasedCheck(reader, target, Promise.reject(error))).rejects.toBe(error);
  expect(await withErasedCheck(reader, target, Promise.resolve(1))).toBe(1);
});
