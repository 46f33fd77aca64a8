import type { TransactionState } from '../state';
import { biometricsEvents } from './biometrics-events';
import { confirmationEvents } from './confirmation-events';
import type { TransactionEvent } from './event';
import { runEvents } from './run-events';

const scoreEvents = ({ scores }: TransactionState): TransactionEvent[] =>
  scores.map(({ value, reason, createdAt }) => ({
    key: `score.changed/${createdAt}/${reason}/${value}`,
    type: 'score.changed',
    at: createdAt,
    data: { value, reason },
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
