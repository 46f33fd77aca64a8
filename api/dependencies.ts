import type { ConfirmationSettings } from '../domain/confirmation-settings';
import type { ApiConfig } from '../platform/config';
import type { Reencoder } from '../platform/images/reencode-image';
import type { SealedImages } from '../platform/images/sealed-images';
import type { Uploads } from '../platform/images/uploads';
import type { Keys } from '../platform/keys';
import type { Logger } from '../platform/logger';
import type { Pool } from '../platform/postgres';
import type { AccessTokens } from './http/auth/access-tokens';
import type { BiometricsSettings } from './biometrics/settings';
import type { FlowStore } from './flows/store/flow-store';
import type { Transactions } from './temporal/transactions';

/** Everything the API stands on. Tests replace `transactions` only. */
export interface Dependencies {
  config: ApiConfig;
  keys: Keys;
  logger: Logger;
  pool: Pool;
  tokens: AccessTokens;
  transactions: Transactions;
  /** The flows by name, with the numbers that this deployment gives them. */
  confirmations: ReadonlyMap<string, ConfirmationSettings>;
  /** The flows of steps, by tenant and version. */
  flowStore: FlowStore;
  /** How biometrics are done for a tenant. */
  biometrics: (tenant: string) => BiometricsSettings;
  images: SealedImages;
  uploads: Uploads;
  reencoder: Reencoder;
  /** Whether the process may be sent requests: the schema is up to date and the database answers. */
  ready: () => Promise<boolean>;
  /** Has provider events worked on at once rather than at the next turn of their loop. */
  processEvents: () => void;
}
