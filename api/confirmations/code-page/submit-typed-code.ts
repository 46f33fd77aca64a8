import type { CodeResult } from '../../../domain/confirmation/check-code';
import type { Confirmation } from '../../../domain/confirmation/confirmation';
import { digestTypedCode, keyedHash } from '../../../messages/codes';
import type { CodePageTarget } from '../../../messages/links';
import { checkConfirmationCode } from '../../../workflows/contract';
import type { Dependencies } from '../../dependencies';
import { Problem } from '../../http/problem';
import { toResultWithoutAttempt } from '../../temporal/code-result';

/**
 * Sends the digits of a typed code to the transaction. It uses the same command as POST …/validate, so the same limits apply. A second
 * press of the button with the same code repeats the request, and uses no second attempt. `unavailable`: it is not known whether the code
 * was checked.
 */
export async function submitTypedCode(
  { keys, transactions }: Pick<Dependencies, 'keys' | 'transactions'>,
  { tenant, transactionId: id }: CodePageTarget,
  { id: confirmationId, settings: { name } }: Confirmation,
  code: string,
): Promise<CodeResult | 'unavailable'> {
  const digest = digestTypedCode(keys, id, name, code);
  try {
    return await transactions.send({ tenant, id }, checkConfirmationCode, {
      input: { name, digest, digits: code.length },
      identity: [name, digest],
      idempotencyKey: keyedHash(keys, 'code-page', confirmationId, digest),
    });
  } catch (error) {
    if (error instanceof Problem) return 'unavailable';
    return toResultWithoutAttempt(error);
  }
}
