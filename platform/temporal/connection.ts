import { Client, Connection, WorkflowNotFoundError } from '@temporalio/client';
import type { DataConverter } from '@temporalio/common';
import { NativeConnection } from '@temporalio/worker';
import { ConfigurationError, type SharedConfig } from '../config';
import { within } from '../deadline';
import { traceInterceptors } from '../telemetry/traces';

type TemporalConfig = Pick<
  SharedConfig,
  'TEMPORAL_ADDRESS' | 'TEMPORAL_NAMESPACE' | 'TEMPORAL_API_KEY' | 'TEMPORAL_TLS'
>;

/** How API and worker reach Temporal. An API key switches TLS on. */
function temporalOptions(config: TemporalConfig): { address: string; tls: boolean; apiKey?: string } {
  const { TEMPORAL_ADDRESS: address, TEMPORAL_API_KEY: apiKey, TEMPORAL_TLS: tls } = config;
  return { address, tls: tls || apiKey !== undefined, ...(apiKey ? { apiKey } : {}) };
}

/**
 * How long gRPC waits before it connects again. The default is up to two minutes. But the API must be able to use Temporal again within a
 * second after an outage. One attempt per second is cheap.
 */
const reconnectOptions = { 'grpc.initial_reconnect_backoff_ms': 100, 'grpc.max_reconnect_backoff_ms': 1_000 };

/** A Temporal client that connects with its first call, so that the API can start and answer GET requests without Temporal. */
export function openTemporal(
  config: TemporalConfig,
  dataConverter: DataConverter,
): { client: Client; connection: Connection } {
  const connection = Connection.lazy({ ...temporalOptions(config), channelArgs: reconnectOptions });
  const interceptors = { workflow: traceInterceptors() };
  const client = new Client({ connection, namespace: config.TEMPORAL_NAMESPACE, dataConverter, interceptors });
  return { connection, client };
}

/** Switches off the compression of the SDK (gzip by default), because it cannot make encrypted payloads smaller. */
const grpcCompression = { codec: 'none' } as const;

/**
 * Returns a function that gives the native connection of the process: the connection of the SDK's core, which is written in Rust. The first
 * call connects. After a failure, the next call connects again. If the server accepts the connection but does not answer, the call fails
 * after 30 s.
 */
export function createConnector(config: TemporalConfig): () => Promise<NativeConnection> {
  let connection: Promise<NativeConnection> | undefined;
  return () => {
    connection ??= NativeConnection.connect({ ...temporalOptions(config), grpcCompression }).catch((error: unknown) => {
      connection = undefined;
      throw error;
    });
    return connection;
  };
}

/**
 * A Temporal client whose queries fail if the workflow has ended. By default, a worker would execute the whole ended workflow again (a
 * replay), only to answer the query. This is not needed, because the record in Postgres has the same data.
 */
export const createQueryClient = (
  connection: NativeConnection,
  namespace: string,
  dataConverter: DataConverter,
): Client =>
  new Client({
    ...{ connection, namespace, dataConverter },
    workflow: { queryRejectCondition: 'NOT_OPEN' },
    interceptors: { workflow: traceInterceptors() },
  });

/**
 * Returns a function that gives a Temporal client for queries of running workflows. It has a native connection. A call over this connection
 * needs half the CPU time of a call over the connection of `openTemporal` (docs/decisions/0001 has the measurements). But the native
 * connection repeats a call for up to 10 s, even after the deadline of the call. So calls that change something do not use it.
 */
export function createQueryClientOpener(config: TemporalConfig, dataConverter: DataConverter): () => Promise<Client> {
  const connect = createConnector(config);
  let client: Client | undefined;
  return async () => {
    client ??= createQueryClient(await connect(), config.TEMPORAL_NAMESPACE, dataConverter);
    return client;
  };
}

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

/** A call to Temporal took longer than its deadline. */
export class DeadlineExceeded extends Error {
  override name = 'DeadlineExceeded';
}

/**
 * Runs a call to Temporal with a deadline of `ms` from now. The deadline of the SDK does not include the time to connect, so our own timer
 * limits the whole call. Without a deadline, the SDK retries silently for up to 40 s.
 */
export async function withDeadline<Result>(
  client: Client | Promise<Client>,
  ms: number,
  call: (client: Client) => Promise<Result>,
): Promise<Result> {
  const deadline = Date.now() + ms;
  const result = Promise.resolve(client).then((openClient) =>
    openClient.withDeadline(deadline, () => call(openClient)),
  );
  return within(ms + 100, result, () => {
    throw new DeadlineExceeded('Temporal did not answer in time');
  });
}

/**
 * Deadline of a termination, which usually takes a few milliseconds. It is below 2 s, because a caller gets 503 within 2 s during an
 * outage. Without a deadline, the native connection of a worker would repeat the call until Temporal is available again, and the activity
 * would wait.
 */
const terminateWithinMs = 1_500;

/**
 * Ends a workflow at once. The code of the workflow does not run any more. Returns false and does nothing if the workflow is not running.
 * `reason`: the text that operators see. `runId`: the only workflow run that may be ended; without it, the current workflow run.
 */
export async function terminateWorkflow(
  client: Client,
  workflowId: string,
  reason: string,
  runId?: string,
): Promise<boolean> {
  try {
    await withDeadline(client, terminateWithinMs, ({ workflow }) =>
      workflow.getHandle(workflowId, runId).terminate(reason),
    );
    return true;
  } catch (error) {
    if (!(error instanceof WorkflowNotFoundError)) throw error;
    return false;
  }
}
