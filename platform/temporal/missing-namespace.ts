import { ConfigurationError } from '../config';

/**
 * The Temporal server answers, but has no such namespace. The message says how to create it. Unlike other errors of the configuration, it is
 * retried, because a new Temporal server and its namespace are often created while the service starts.
 */
export class MissingNamespaceError extends ConfigurationError {
  override name = 'MissingNamespaceError';

  constructor(namespace: string) {
    super(
      `Temporal has no namespace ${namespace}. Create it, or correct TEMPORAL_NAMESPACE.\n` +
        `  temporal operator namespace create --namespace ${namespace} --retention 72h`,
    );
  }
}
