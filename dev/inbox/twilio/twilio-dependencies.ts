import type { Delivery } from '../delivery';
import type { FailureInjector } from '../failure-injector';
import type { MessageStore } from '../message-store';

/** The dependencies of the simulated REST API of Twilio. */
export interface TwilioDependencies {
  store: MessageStore;
  delivery: Delivery;
  failureInjector: FailureInjector;
  accountSid: string;
  authToken: string;
}
