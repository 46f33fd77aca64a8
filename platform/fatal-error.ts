import { ConfigurationError } from './config';
import { errorName } from './postgres';

/**
 * The text of an error that ends a process. It has the message of the error only for ConfigurationError and the classes in
 * `operatorErrors`, because their messages are written for operators. Other messages may contain personal data.
 */
export function fatalErrorText(error: unknown, ...operatorErrors: readonly (new (message: string) => Error)[]): string {
  const isForOperators = [ConfigurationError, ...operatorErrors].some((shownClass) => error instanceof shownClass);
  return isForOperators && error instanceof Error ? `${error.name}: ${error.message}` : errorName(error);
}
