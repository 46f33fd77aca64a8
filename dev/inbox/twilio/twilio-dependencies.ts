import type { Delivery } from '../delivery';
import type { FaultInjector } from '../fault-injector';
import type { MessageStore } from '../message-store';

/** What the provider's routes are made of. */
export interface TwilioDependencies {
  store: MessageStore;
  delivery: Delivery;
  faultInjector: FaultInjector;
  accountSid: string;
  authToken: string;
}
