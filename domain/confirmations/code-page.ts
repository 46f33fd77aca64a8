import type { Confirmation } from './confirmation';
import { destinationOf } from './send';
import { formatMinutes } from './settings';
import type { TransactionState } from '../transactions/state';

/** How many digits of a phone the page shows. Thousands of phones have the same. */
const shownDigits = 4;

const hidden = '•••';

/** The phone or mailbox of a token as its person recognizes it: `•••• 4321` or `m•••@example.com`. */
export function maskedDestinationOf(state: TransactionState, { settings }: Pick<Confirmation, 'settings'>): string {
  const destination = destinationOf(state, settings) ?? '';
  if (settings.channel !== 'email') return `${hidden}• ${destination.slice(-shownDigits)}`;
  const [first = ''] = Array.from(destination);
  return `${first}${hidden}${destination.slice(destination.lastIndexOf('@'))}`;
}

/** How many minutes the person still has for a confirmation. */
export const minutesLeftOf = ({ expiresAt }: Pick<Confirmation, 'expiresAt'>, now: string): number =>
  Number(formatMinutes(Date.parse(expiresAt) - Date.parse(now)));
