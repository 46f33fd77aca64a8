import { Analyses } from './resources/analyses.ts';
import { Biometrics } from './resources/biometrics.ts';
import { Blocks } from './resources/blocks.ts';
import { BrandResource } from './resources/brand.ts';
import { Confirmations } from './resources/confirmations.ts';
import { Events } from './resources/events.ts';
import { FlowRuns } from './resources/flow-runs.ts';
import { Flows } from './resources/flows.ts';
import { Lists } from './resources/lists.ts';
import { Messages } from './resources/messages.ts';
import { OptOuts } from './resources/opt-outs.ts';
import { Messaging } from './resources/messaging.ts';
import { Privacy } from './resources/privacy.ts';
import { Reviews } from './resources/reviews.ts';
import { Transactions } from './resources/transactions.ts';
import { Webhooks } from './resources/webhooks.ts';
import { type Credentials, Transport } from './transport.ts';

export type CountersignOptions = Credentials & {
  /** The URL of the API, such as `https://countersign.example.com`. */
  baseUrl: string;
  /** The longest time of a call, with all its attempts and pauses. Default: 60,000 ms. Each attempt ends after 20 s. */
  timeoutMs?: number | undefined;
  /** The maximum number of attempts of a call. Default: 3, which is enough for a restart of the service. */
  maxAttempts?: number | undefined;
  /** Sends the requests, for example through a proxy. Default: the global `fetch`. */
  fetch?: typeof globalThis.fetch | undefined;
};

/** The client of Countersign. One instance for a process is enough: its calls share one access token. */
export class Countersign {
  readonly transactions: Transactions;
  readonly confirmations: Confirmations;
  readonly events: Events;
  readonly analyses: Analyses;
  readonly biometrics: Biometrics;
  readonly reviews: Reviews;
  readonly flows: Flows;
  readonly flowRuns: FlowRuns;
  readonly webhooks: Webhooks;
  readonly blocks: Blocks;
  readonly brand: BrandResource;
  readonly lists: Lists;
  readonly messages: Messages;
  readonly optOuts: OptOuts;
  readonly messaging: Messaging;
  readonly privacy: Privacy;

  constructor({ baseUrl, timeoutMs = 60_000, maxAttempts = 3, fetch, ...credentials }: CountersignOptions) {
    // Browsers require that fetch is called on the global object.
    const send: typeof globalThis.fetch = fetch ?? ((...request) => globalThis.fetch(...request));
    const transport = new Transport({ baseUrl, credentials, timeoutMs, maxAttempts, fetch: send });
    this.events = new Events(transport);
    this.transactions = new Transactions(transport, this.events);
    this.confirmations = new Confirmations(transport);
    this.analyses = new Analyses(transport);
    this.biometrics = new Biometrics(transport);
    this.reviews = new Reviews(transport);
    this.flows = new Flows(transport);
    this.flowRuns = new FlowRuns(transport);
    this.webhooks = new Webhooks(transport);
    this.blocks = new Blocks(transport);
    this.brand = new BrandResource(transport);
    this.lists = new Lists(transport);
    this.messages = new Messages(transport);
    this.optOuts = new OptOuts(transport);
    this.messaging = new Messaging(transport);
    this.privacy = new Privacy(transport);
  }
}
