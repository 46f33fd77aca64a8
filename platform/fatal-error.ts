import { ConfigurationError } from './config';
import { errorName } from './postgres';

/**
 * The text of an error that ends a process. Only messages that are written for operators are shown, of ConfigurationError and of the
 * classes in `forOperators`: others may contain personal data.
 */
export function fatalErrorText(error: unknown, ...forOperators: readonly (new (message: string) => Error)[]): string {
  const shown = [ConfigurationError, ...forOperators].some((shownClass) => error instanceof shownClass);
  return shown && error instanceof Error ? `${error.name}: ${error.message}` : errorName(error);
}
