import { ConfigurationError, type SharedConfig } from '../config';

/** A namespace of a Temporal server. */
export type NamespaceOfServer = Pick<SharedConfig, 'TEMPORAL_ADDRESS' | 'TEMPORAL_NAMESPACE'>;

/** The options of the `temporal` command for a namespace, because its own default is the server at 127.0.0.1:7233. */
export const cliOptions = ({ TEMPORAL_ADDRESS, TEMPORAL_NAMESPACE }: NamespaceOfServer): string =>
  `--address ${TEMPORAL_ADDRESS} --namespace ${TEMPORAL_NAMESPACE}`;

/**
 * The Temporal server answers, but has no such namespace. The message says how to create it. Unlike other errors of the configuration, it is
 * retried, because a new Temporal server and its namespace are often created while the service starts.
 */
export class MissingNamespaceError extends ConfigurationError {
  override name = 'MissingNamespaceError';

  constructor(namespace: NamespaceOfServer) {
    super(
      `Temporal at ${namespace.TEMPORAL_ADDRESS} has no namespace ${namespace.TEMPORAL_NAMESPACE}. Create it, or correct TEMPORAL_NAMESPACE.\n` +
        `  temporal operator namespace create ${cliOptions(namespace)} --retention 72h`,
    );
  }
}
