import { WorkflowUpdateFailedError } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { problemOf } from '../../../api/problem';
import { failureTypes } from '../../../domain/failures';
import type { PersonLine } from '../person-line';

/** What the transaction refuses is part of the story, in the words of the API. Throws what is no refusal. */
export function refusedWords(error: unknown, { text, act }: PersonLine): string {
  const cause = error instanceof WorkflowUpdateFailedError ? error.cause : undefined;
  if (!(cause instanceof ApplicationFailure)) throw error;
  const type = failureTypes.find((one) => one === cause.type);
  const answers = act.does === 'presses' || act.does === 'replies';
  if (type === 'ReplyRefused' && answers) return `"${text}" is refused: it is none of the answers that are waited for`;
  return `"${text}" is refused: ${type ? problemOf(type, {}).message : cause.message}`;
}
