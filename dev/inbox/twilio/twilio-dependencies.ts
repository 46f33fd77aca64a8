import type { Calls } from '../calls/calls';
import type { Delivery } from '../delivery';
import type { FailureInjector } from '../failure-injector';
import type { MessageStore } from '../message-store';

/** The dependencies of the simulated REST API of Twilio. */
export interface TwilioDependencies {
  store: MessageStore;
  delivery: Delivery;
  calls: Calls;
  failureInjector: FailureInjector;
  accountSid: string;
  authToken: string;
}
