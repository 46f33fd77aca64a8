import type { Evidence } from '../../../domain/analysis';
import type { TransactionInput } from '../../../domain/transaction';
import { resemblance } from '../name-resemblance';
import { isDisposable } from '../tables/disposable-domains';

/** What a mail address tells: whether its domain is disposable, and how much its mailbox looks like the person's name. */
export function findEmail({ email, name }: TransactionInput): Evidence['email'] {
  const at = email?.lastIndexOf('@') ?? -1;
  if (!email || at < 1) return undefined;
  const disposable = isDisposable(email.slice(at + 1).toLowerCase());
  const resemblesName = name ? resemblance(email.slice(0, at), name) : undefined;
  return { disposable, ...(resemblesName === undefined ? {} : { resemblesName }) };
}
