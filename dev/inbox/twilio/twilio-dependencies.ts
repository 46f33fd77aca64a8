import type { Delivery } from '../delivery';
import type { Faults } from '../faults';
import type { Mailroom } from '../mailroom';

/** What the provider's routes are made of. */
export interface TwilioDependencies {
  mailroom: Mailroom;
  delivery: Delivery;
  faults: Faults;
  accountSid: string;
  authToken: string;
}
