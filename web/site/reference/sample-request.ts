import type { Operation } from './operations';

/** An example body as text, in the content type of the operation. Undefined if the operation has no body. */
export function exampleBody({ body }: Operation): string | undefined {
  if (!body) return undefined;
  const { type, example = {} } = body;
  return type === 'application/x-www-form-urlencoded'
    ? new URLSearchParams(example as Record<string, string>).toString()
    : JSON.stringify(example, undefined, 2);
}

/** A curl command for an operation. $API, $TOKEN and the path parameters are variables of the shell. */
export function curlOf(operation: Operation): string {
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => `$${variableOf(name)}`);
  const body = exampleBody(operation);
  const lines = [
    `curl ${operation.method === 'GET' || (operation.method === 'POST' && body) ? '' : `-X ${operation.method} `}"$API${path}"`,
    ...(operation.scope === undefined ? [] : ['-H "Authorization: Bearer $TOKEN"']),
    ...(body === undefined
      ? []
      : [`-H 'Content-Type: ${operation.body?.type}'`, `-d '${body.replaceAll("'", String.raw`'\''`)}'`]),
  ];
  return lines.join(' \\\n  ');
}

/** The name of a shell variable for a path parameter: RUN_ID for runId. */
const variableOf = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
