import { Client, Connection } from '@temporalio/client';
import type { defineSearchAttributeKey } from '@temporalio/common';
import { temporal } from '@temporalio/proto';
import { NativeConnection } from '@temporalio/worker';
import { ConfigurationError, type SharedConfig } from './config';

type SearchAttributeKey = ReturnType<typeof defineSearchAttributeKey<'KEYWORD'>>;

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
 * By default, gRPC waits up to two minutes before it reconnects. After an outage the API must use the server again within a second, and
 * one attempt per second costs nothing.
 */
const reconnectOptions = { 'grpc.initial_reconnect_backoff_ms': 100, 'grpc.max_reconnect_backoff_ms': 1_000 };

/** A client that connects with its first call, so that the API can start and serve reads without Temporal. */
export function openTemporal(config: TemporalConfig): { client: Client; connection: Connection } {
  const connection = Connection.lazy({ ...temporalOptions(config), channelArgs: reconnectOptions });
  return { connection, client: new Client({ connection, namespace: config.TEMPORAL_NAMESPACE }) };
}

/**
 * Returns a function that gives the native connection of the process. The first call connects; after a failure, the next call connects
 * again. A server that accepts connections but does not answer is a failure after 30 s.
 */
export function createConnector(config: TemporalConfig): () => Promise<NativeConnection> {
  let connection: Promise<NativeConnection> | undefined;
  return () => {
    connection ??= NativeConnection.connect(temporalOptions(config)).catch((error: unknown) => {
      connection = undefined;
      throw error;
    });
    return connection;
  };
}

/** A client whose queries fail if the workflow is closed: a worker would replay it, and the record has the same data. */
export const createQueryClient = (connection: NativeConnection, namespace: string): Client =>
  new Client({ connection, namespace, workflow: { queryRejectCondition: 'NOT_OPEN' } });

/**
 * Returns a function that gives a client for queries of running workflows. A call over its native connection needs half the CPU time of
 * one over the other connection (decision 1). But it is repeated for up to 10 s, even after its deadline, so writes do not use it.
 */
export function createQueryClientOpener(config: TemporalConfig): () => Promise<Client> {
  const connect = createConnector(config);
  let client: Client | undefined;
  return async () => {
    client ??= createQueryClient(await connect(), config.TEMPORAL_NAMESPACE);
    return client;
  };
}

const keywordType = temporal.api.enums.v1.IndexedValueType.INDEXED_VALUE_TYPE_KEYWORD;

/** Status codes of gRPC. */
const grpcCodes = { alreadyExists: 6, permissionDenied: 7, unimplemented: 12 };

const statusOf = (error: unknown): unknown => (error as { code?: unknown }).code;

/**
 * Registers missing search attributes. A workflow that sets an unknown one stalls forever, so no worker may start before this has
 * succeeded. If Temporal does not allow this process to add them, as in Temporal Cloud, throws ConfigurationError with the commands to
 * create them.
 */
export async function ensureSearchAttributes(
  { operatorService }: Pick<NativeConnection, 'operatorService'>,
  namespace: string,
  keys: readonly SearchAttributeKey[],
): Promise<void> {
  const attributeList = operatorService.listSearchAttributes({ namespace }).catch((error: unknown) => {
    // The time-skipping server cannot list them.
    if (statusOf(error) === grpcCodes.unimplemented) return { customAttributes: {} };
    throw error;
  });
  const existingAttributes: Readonly<Record<string, unknown>> = (await attributeList).customAttributes;
  const missingNames = keys.map(({ name }) => name).filter((name) => existingAttributes[name] !== keywordType);
  for (const name of missingNames) {
    try {
      await operatorService.addSearchAttributes({ namespace, searchAttributes: { [name]: keywordType } });
    } catch (error) {
      if (statusOf(error) === grpcCodes.permissionDenied) throw permissionError(namespace, missingNames);
      // Another process has added it.
      if (statusOf(error) !== grpcCodes.alreadyExists) throw error;
    }
  }
}

function permissionError(namespace: string, names: readonly string[]): ConfigurationError {
  const list = (option: (name: string) => string) => names.map(option).join(' ');
  return new ConfigurationError(
    `Temporal does not allow this process to add search attributes to the namespace ${namespace}. ` +
      `Create these of type Keyword, then start again: ${names.join(', ')}.\n` +
      `  temporal operator search-attribute create --namespace ${namespace} ${list((name) => `--name ${name} --type Keyword`)}\n` +
      `  Temporal Cloud: tcld namespace search-attributes add --namespace ${namespace} ${list((name) => `--search-attribute "${name}=Keyword"`)}`,
  );
}
