import {
  Client,
  Connection,
  defaultGrpcRetryOptions,
  makeGrpcRetryInterceptor,
  WorkflowNotFoundError,
} from '@temporalio/client';
import type { DataConverter } from '@temporalio/common';
import { NativeConnection } from '@temporalio/worker';
import { within } from '../deadline';
import { grpcCodes } from '../outage';
import { traceInterceptors } from '../telemetry/traces';
import { explainConnectFailure, type NamespaceOfServer } from './failures';
import { readTls } from './tls';

/** How API and worker reach Temporal. Throws ConfigurationError if a file of the TLS settings is wrong. */
const temporalOptions = (server: NamespaceOfServer) => ({
  address: server.TEMPORAL_ADDRESS,
  tls: readTls(server),
  ...(server.TEMPORAL_API_KEY !== undefined && { apiKey: server.TEMPORAL_API_KEY }),
});

/**
 * How long gRPC waits before it connects again. The default is up to two minutes. But the API must be able to use Temporal again within a
 * second after an outage. One attempt per second is cheap.
 */
const reconnectOptions = { 'grpc.initial_reconnect_backoff_ms': 100, 'grpc.max_reconnect_backoff_ms': 1_000 };

/**
 * When a call is repeated. While a workflow run ends and the next one starts, within some 100 ms, the server rejects updates with the code of
 * an exceeded limit. For this code, the SDK would wait for a second, which is longer than a command waits until it is accepted.
 */
export const retryOptions = defaultGrpcRetryOptions({
  initialIntervalMs: ({ code, details }: { code: number; details: string }) =>
    code === grpcCodes.resourceExhausted && !details.includes('workflow is closing') ? 1_000 : 100,
});

/** A Temporal client that connects with its first call, so that the API can start and answer GET requests without Temporal. */
export function openTemporal(
  config: NamespaceOfServer,
  dataConverter: DataConverter,
): { client: Client; connection: Connection } {
  const connection = Connection.lazy({
    ...temporalOptions(config),
    channelArgs: reconnectOptions,
    interceptors: [makeGrpcRetryInterceptor(retryOptions)],
  });
  const interceptors = { workflow: traceInterceptors() };
  const client = new Client({ connection, namespace: config.TEMPORAL_NAMESPACE, dataConverter, interceptors });
  return { connection, client };
}

/** Switches off the compression of the SDK (gzip by default), because it cannot make encrypted payloads smaller. */
const grpcCompression = { codec: 'none' } as const;

/**
 * Returns a function that gives the native connection of the process: the connection of the SDK's core, which is written in Rust. The first
 * call connects. After a failure, the next call connects again. If the server accepts the connection but does not answer, the call fails
 * after 30 s. Throws TemporalSetupError if the connection will fail until a setting or the server changes.
 */
export function createConnector(config: NamespaceOfServer): () => Promise<NativeConnection> {
  let connection: Promise<NativeConnection> | undefined;
  return () => {
    const open = async () => NativeConnection.connect({ ...temporalOptions(config), grpcCompression });
    connection ??= open().catch((error: unknown) => {
      connection = undefined;
      throw explainConnectFailure(error, config) ?? error;
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
 * Returns a function that gives a Temporal client for queries of running workflows. It has the native connection of `connect`. A call over
 * this connection needs half the CPU time of a call over the connection of `openTemporal` (docs/decisions/0001 has the measurements). But the native
 * connection repeats a call for up to 10 s, even after the deadline of the call. So calls that change something do not use it.
 */
export function createQueryClientOpener(
  connect: () => Promise<NativeConnection>,
  namespace: string,
  dataConverter: DataConverter,
): () => Promise<Client> {
  let client: Client | undefined;
  return async () => {
    client ??= createQueryClient(await connect(), namespace, dataConverter);
    return client;
  };
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
