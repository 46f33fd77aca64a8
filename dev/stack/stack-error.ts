/** The stack cannot start or go on; the message is the one line a person reads. */
export class StackError extends Error {
  override name = 'StackError';
}
