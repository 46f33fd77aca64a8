import type { defineSearchAttributeKey } from '@temporalio/common';
import { temporal } from '@temporalio/proto';
import type { NativeConnection } from '@temporalio/worker';
import { ConfigurationError } from '../config';

type SearchAttributeKey = ReturnType<typeof defineSearchAttributeKey<'KEYWORD'>>;

const keywordType = temporal.api.enums.v1.IndexedValueType.INDEXED_VALUE_TYPE_KEYWORD;

/** Status codes of gRPC. */
const grpcCodes = { alreadyExists: 6, permissionDenied: 7, unimplemented: 12 };

const statusOf = (error: unknown): unknown => (error as { code?: unknown }).code;

/**
 * Adds missing search attributes to a namespace of Temporal. A workflow that sets an unknown search attribute waits for ever, so no worker
 * may start before this function has succeeded. Some servers, such as Temporal Cloud, do not allow this process to add search attributes.
 * In this case, throws ConfigurationError with the commands by which an operator can add them.
 */
export async function ensureSearchAttributes(
  { operatorService }: Pick<NativeConnection, 'operatorService'>,
  namespace: string,
  keys: readonly SearchAttributeKey[],
): Promise<void> {
  const attributeList = operatorService.listSearchAttributes({ namespace }).catch((error: unknown) => {
    // Temporal's test server, which skips waiting times, cannot list search attributes.
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
      // Another process has already added the search attribute.
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
