import type { ConfirmationSettings } from '../domain/confirmations/settings';
import type { ApiConfig } from '../platform/config';
import type { Reencoder } from '../images/reencode-image';
import type { SealedImages } from '../images/sealed-images';
import type { Uploads } from '../images/uploads';
import type { Keys } from '../platform/keys/service-keys';
import type { SigningKeyRing } from '../platform/keys/signing-keys';
import type { Logger } from '../platform/logger';
import type { Pool } from '../platform/postgres/postgres';
import type { PostgresDayKeys } from '../store/messages/day-keys';
import type { StatusEvent } from '../store/messages/provider-events.sql';
import type { PayloadCodec } from '@temporalio/common';
import type { Messaging } from '../messages/messaging';
import type { ListedProviders } from '../messages/read-messaging';
import type { SendingLimits } from '../messages/sending-limits';
import type { Brands } from './brand/brands';
import type { AccessTokens } from './http/auth/access-tokens';
import type { OutsideIssuer } from './http/auth/outside-issuer';
import type { ClientAddresses } from './clients/client-addresses.sql';
import type { ClientVersions } from './clients/client-versions';
import type { RateLimits } from './http/limits/rate-limits';
import type { BiometricsSettings } from './biometrics/settings';
import type { ConfirmationTerms } from './confirmations/terms';
import type { FlowCompute } from './flows/compute/flow-compute';
import type { FlowStore } from './flows/catalog/flow-store';
import type { Target, Transactions } from './transactions/transactions';
import type { NewEvents } from './events/new-events';
import type { BuiltPages } from './pages/built-pages';

/** The objects that handlers use. The API opens all of them; a handler names those that it needs (`Needs`). */
export interface Dependencies {
  config: ApiConfig;
  keys: Keys;
  logger: Logger;
  /** The pages of web/. */
  builtPages: BuiltPages;
  pool: Pool;
  /** The brands of the tenants, and their logos. */
  brands: Pick<Brands, 'forget' | 'logo' | 'of'>;
  accessTokens: AccessTokens;
  /** Verifies access tokens of the outside issuer. Undefined if the settings define no outside issuer. */
  outsideIssuer: Pick<OutsideIssuer, 'verify'> | undefined;
  signingKeys: SigningKeyRing;
  /** Tells whether the client of an access token has changed since the token was issued. */
  clientVersions: Pick<ClientVersions, 'isCurrent'>;
  /** Returns the addresses of a client's own site that hosted pages may use. */
  clientAddresses: (clientId: string) => Promise<ClientAddresses>;
  rateLimits: RateLimits;
  transactions: Transactions;
  /** Wakes the requests that wait for new events of a transaction. */
  newEvents: NewEvents;
  /** Decrypts what Temporal stores about transactions. */
  payloadCodec: Pick<PayloadCodec, 'decode'>;
  /** The providers of messages, which send callbacks. */
  providers: Messaging['providers'];
  /** The messaging settings of a tenant, for callbacks of its own providers. */
  ownProvidersOf: (tenant: string) => Promise<Messaging['providers']>;
  /** The names of the providers of each channel, in the order of the settings. */
  listedProviders: ListedProviders;
  /** Confirmation settings by name, with the changes of FLOW_SETTINGS. */
  confirmationSettings: ReadonlyMap<string, ConfirmationSettings>;
  /** Returns how confirmations of a transaction are proposed. */
  termsOf: (target: Target) => Promise<ConfirmationTerms>;
  /** Tells the reviewers that the images of a link wait for a decision. */
  requestReview: (target: Target, biometricsId: string) => Promise<void>;
  /** Headers of every answer. */
  answerHeaders: Readonly<Record<string, string>>;
  /** Flows by tenant and version. */
  flowStore: FlowStore;
  /** Checks and draws flows, off the thread that answers requests. */
  flowCompute: FlowCompute;
  /** Returns the limits of the messages of a tenant. */
  sendingLimits: (tenant: string) => SendingLimits;
  biometricsSettings: (tenant: string) => BiometricsSettings;
  images: SealedImages;
  uploads: Uploads;
  reencoder: Reencoder;
  /** Whether the process accepts requests: the schema is up to date and the database answers. */
  isReady: () => Promise<boolean>;
  /** The day keys. They encrypt replies and delivery statuses until these are processed. */
  dayKeys: PostgresDayKeys;
  /** The replies and delivery statuses that providers report: see `ProviderEventProcessor`. */
  providerEvents: {
    /** Processes the saved ones now, instead of after the interval. */
    runNow: () => void;
    /** Saves a delivery status, and tells its transaction. */
    takeStatus: (event: StatusEvent) => Promise<void>;
  };
}

export type DependencyName = keyof Dependencies;

/** Some dependencies, by name: `Needs<'keys' | 'pool'>`. A function takes only these, so its test builds only these. */
export type Needs<Names extends DependencyName> = Pick<Dependencies, Names>;
