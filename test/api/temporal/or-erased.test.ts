import { Problem } from '../../../api/http/problem';
import { orErased } from '../../../api/temporal/or-erased';
import { CommandRejected } from '../../../api/temporal/transactions';
import { createDomainError } from '../../../domain/domain-error';
import { DataErasedError } from '../../../platform/keys/data-keys';

const target = { tenant: 'acme', id: 'one' };
const erasedReader = {
  findState: async () => {
    throw new DataErasedError({ tenant: 'acme', owner: 'one' });
  },
};
const reader = { findState: async () => undefined };

test('an unexpected error of work on an erased transaction becomes the problem erased', async () => {
  await expect(orErased(erasedReader, target, Promise.reject(new TypeError('task failed')))).rejects.toMatchObject({
    code: 'erased',
  });
});

test.each([new Problem('service_unavailable'), new CommandRejected(createDomainError('AnswerRefused', 'late', {}))])(
  'a problem or a rejection stays as it is: %s',
  async (answer) => {
    await expect(orErased(erasedReader, target, Promise.reject(answer))).rejects.toBe(answer);
  },
);

test('an unexpected error of work on another transaction stays as it is', async () => {
  const error = new TypeError('a bug');
  await expect(orErased(reader, target, Promise.reject(error))).rejects.toBe(error);
  expect(await orErased(reader, target, Promise.resolve(1))).toBe(1);
});
