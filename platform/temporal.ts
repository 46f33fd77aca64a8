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

/** A client that connects on first use, so that the API starts, and serves reads, while Temporal is away. */
export function openTemporal(config: SharedConfig): { client: Client; connection: Connection } {
  const connection = Connection.lazy(temporalOptions(config));
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
