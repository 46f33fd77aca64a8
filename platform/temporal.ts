import { Client, Connection } from '@temporalio/client';
import type { defineSearchAttributeKey } from '@temporalio/common';
import { temporal } from '@temporalio/proto';
import type { SharedConfig } from './config';

type KeyOfAttribute = ReturnType<typeof defineSearchAttributeKey<'KEYWORD'>>;

/** How API and worker reach Temporal. An API key switches TLS on. */
export function temporalOptions(config: SharedConfig): { address: string; tls: boolean; apiKey?: string } {
  const { TEMPORAL_ADDRESS: address, TEMPORAL_API_KEY: apiKey, TEMPORAL_TLS: tls } = config;
  return { address, tls: tls || apiKey !== undefined, ...(apiKey ? { apiKey } : {}) };
}

/**
 * gRPC waits up to two minutes before it connects again, long after an outage is over. A server that is back must be
 * used within a second, and one attempt a second costs nothing.
 */
const reconnecting = { 'grpc.initial_reconnect_backoff_ms': 100, 'grpc.max_reconnect_backoff_ms': 1_000 };

/** A client that connects on first use, so that the API starts, and serves reads, while Temporal is away. */
export function openTemporal(config: SharedConfig): { client: Client; connection: Connection } {
  const connection = Connection.lazy({ ...temporalOptions(config), channelArgs: reconnecting });
  return { connection, client: new Client({ connection, namespace: config.TEMPORAL_NAMESPACE }) };
}

const { IndexedValueType } = temporal.api.enums.v1;

/** gRPC status of a request to add what is there already. */
const alreadyExists = 6;

/**
 * Registers search attributes that the namespace lacks. A workflow that sets an unknown one stalls for ever,
 * so no worker may start before this has succeeded.
 */
export async function ensureSearchAttributes(
  connection: Connection,
  namespace: string,
  keys: readonly KeyOfAttribute[],
): Promise<void> {
  for (const { name } of keys) {
    await connection.operatorService
      .addSearchAttributes({ namespace, searchAttributes: { [name]: IndexedValueType.INDEXED_VALUE_TYPE_KEYWORD } })
      .catch((error: { code?: number }) => {
        if (error.code !== alreadyExists) throw error;
      });
  }
}
