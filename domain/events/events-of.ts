import type { ScoreEntry } from '../scoring/score';
import type { TransactionState } from '../state';
import { biometricsEvents } from './biometrics-events';
import { confirmationEvents } from './confirmation-events';
import type { TransactionEvent } from './event';
import { runEvents } from './run-events';

/** A score of an earlier version has no number. It keeps the key with which its event was saved. */
const scoreKey = ({ value, reason, createdAt, number }: ScoreEntry): string =>
  number === undefined ? `score.changed/${createdAt}/${reason}/${value}` : `score.changed/${reason}/${number}/${value}`;

const scoreEvents = ({ scores }: TransactionState): TransactionEvent[] =>
  scores.map((entry) => ({
    key: scoreKey(entry),
    type: 'score.changed',
    at: entry.createdAt,
    data: { value: entry.value, reason: entry.reason },
  }));

/**
 * Everything that has happened in a transaction, oldest first, as far as its state shows it. All events are computed from the
 * state. So code that changes the state cannot forget an event.
 */
export function eventsOf(state: TransactionState): TransactionEvent[] {
  const created: TransactionEvent = {
    key: 'transaction.created',
    type: 'transaction.created',
    at: state.createdAt,
    data: {},
  };
  const later = [...confirmationEvents(state), ...biometricsEvents(state), ...scoreEvents(state), ...runEvents(state)];
  return [created, ...later.toSorted((left, right) => (left.at < right.at ? -1 : Number(left.at > right.at)))];
}
