import type { TransactionState } from '../transactions/state';
import type { TransactionEvent } from './event';
import { eventsOf } from './events-of';

/**
 * The attributes with which an event is counted. They have few values, and never personal data. Texts of tenants, such as the names of flows,
 * have no limit, so they are left out.
 */
export type EventMeasure = Readonly<Record<string, string>>;

/**
 * What is measured of an event: its type, and where it has them its channel, kind (`token` or a question), dial code, and the class of
 * its reason, such as `DestinationRefused` of `DestinationRefused 21211`.
 */
export function measureOf({ type, data }: TransactionEvent, { input }: Pick<TransactionState, 'input'>): EventMeasure {
  const { channel, kind, reason } = data;
  const country = channel === undefined || channel === 'email' ? undefined : input.phone?.countryCode;
  const values = {
    type,
    channel,
    kind,
    country,
    reason: typeof reason === 'string' ? reason.split(' ')[0] : undefined,
  };
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  );
}

/** The measures of the events with these keys. */
export function measuresOf(state: TransactionState, keys: readonly string[]): EventMeasure[] {
  if (keys.length === 0) return [];
  return eventsOf(state)
    .filter(({ key }) => keys.includes(key))
    .map((event) => measureOf(event, state));
}
