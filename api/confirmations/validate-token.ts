import type { z } from 'zod';
import { type Channel, type ConfirmationSettings, tokenTypes } from '../../domain/confirmations/settings';
import { type ApiRoute, type Handler, transactionPath as transaction, withBody } from '../http/route';
import { valueBody } from '../http/body/fields';
import { namesOf, tokenBody, tokenResponses } from './send-confirmation';
import type { CodeResult } from '../../domain/confirmations/check-code';
import { checkConfirmationCode } from '../../workflows/contract/commands';
import { digestTypedCode } from '../../messages/codes';
import { CommandRejected, throwAsProblem } from '../transactions/transactions';
import type { DomainErrorType } from '../../domain/domain-error';
import { exampleOf, named } from '../http/openapi/schema-of';
import { answerStatus } from './responses';

/** The schema of the answer to a code. */
export const validationOf = (channel: Channel) => {
  const response = tokenResponses[channel].extend({ status: answerStatus });
  const example = { ...(exampleOf(tokenResponses[channel]) as object), status: 'Valid' } as z.input<typeof response>;
  return named(`${tokenTypes[channel]}TokenAnswer`, response, example);
};

export const validateRoute = (settings: ConfirmationSettings): ApiRoute =>
  withBody({
    operationId: `validate${namesOf(settings).operation}`,
    method: 'post',
    path: `${transaction}/${settings.path}/validate`,
    scope: 'confirmation:validate',
    summary: `Validate the code of the newest ${namesOf(settings).text}; \`status\` is the result`,
    ...valueBody,
    example: { value: '123456' },
    responses: { 200: validationOf(settings.channel) },
    problems: ['token_not_found', 'idempotency_conflict', 'values_mismatch'],
    responseHeaders: ['X-Attempts-Remaining'],
    handler: validateToken(settings),
  });

/** Creates the handler of POST …/validate. The answer to an invalid code is also 200: `status` is the result. */
export function validateToken(settings: ConfirmationSettings): Handler<'keys' | 'transactions', { value: string }> {
  return async ({ dependencies, tenant, id, body, idempotencyKey }) => {
    const digest = digestTypedCode(dependencies.keys, id, settings.name, body.value);
    const pendingAnswer = dependencies.transactions.send({ tenant, id }, checkConfirmationCode, {
      input: { name: settings.name, digest, digits: body.value.length },
      identity: [settings.name, digest],
      idempotencyKey,
    });
    const answer = await throwAsProblem(pendingAnswer.catch(toResultWithoutAttempt), settings.channel);
    const attemptsRemaining = answer.attemptsRemaining;
    const headers = attemptsRemaining === undefined ? {} : { 'X-Attempts-Remaining': String(attemptsRemaining) };
    return { status: 200, headers, body: tokenBody(settings, answer) };
  };
}

/** The body of the response to a typed code. The number of attempts left is in the header X-Attempts-Remaining. */
export const codeResultBody = ({ status, type, createdAt, expirationTime }: CodeResult) => ({
  status,
  type,
  createdAt,
  expirationTime,
});

/** The errors for a code that was not compared. They have the answer for the caller. */
const typesWithAnswer: readonly string[] = ['TokenClosed', 'CodeImpossible'] satisfies DomainErrorType[];

/**
 * If the error says that the code was not compared, because the token is closed or the code has another number of digits, returns the
 * answer for the caller. Throws all other errors.
 */
export function toResultWithoutAttempt(error: unknown): CodeResult {
  const answer =
    error instanceof CommandRejected && typesWithAnswer.includes(error.domainError.type)
      ? error.domainError.details.about
      : undefined;
  if (answer) return answer as CodeResult;
  throw error;
}
