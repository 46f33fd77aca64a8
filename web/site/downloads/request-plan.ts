import type { OpenApiOperation, OpenApiResponse } from '../reference/openapi';
import type { OpenApiDocument } from '../reference/openapi';
import { operationsOf, type Operation } from '../reference/operations';
import { exampleBody } from '../reference/sample-request';

/** A value of a response that later requests need. */
export interface SavedValue {
  variable: string;
  /** The place of the value in the JSON body, such as ['runs', '0', 'id']. */
  pointer: readonly string[];
}

/** One request in the downloads. Its texts have variables such as {{name}}. Both formats, `.http` and Postman, write variables this way. */
export interface PlannedRequest {
  operation: Operation;
  url: string;
  headers: readonly (readonly [name: string, value: string])[];
  body?: string;
  /** The values of its response that later requests need. */
  saves: readonly SavedValue[];
}

/** The variable for a path parameter. The parameter `id` is always the id of a transaction. */
const variableOf = (parameter: string) => (parameter === 'id' ? 'transactionId' : parameter);

/** The fields of the token request. The caller sets them once, as variables. */
const credentials: Readonly<Record<string, string>> = { client_id: '{{clientId}}', client_secret: '{{clientSecret}}' };

/** Values that the caller chooses, so no response replaces them. */
const presets: Readonly<Record<string, string>> = {
  baseUrl: 'http://127.0.0.1:3000',
  clientId: 'the id of your client',
  clientSecret: 'the secret of your client',
  name: 'sms-token',
  version: '1',
};

const isJsonPointer = (expression: string) => expression.startsWith('$response.body#/');

/** The values of a response that other operations need. The `links` of an operation in the OpenAPI document name these values. */
function savesOf(operation: OpenApiOperation): SavedValue[] {
  const responses = Object.values(operation.responses).filter((item): item is OpenApiResponse => !('$ref' in item));
  const expressions = new Map(
    responses
      .flatMap(({ links = {} }) => Object.values(links))
      .flatMap(({ parameters }) => Object.entries(parameters))
      .filter(([, expression]) => isJsonPointer(expression)),
  );
  return [...expressions]
    .filter(([parameter]) => !(parameter in presets))
    .map(([parameter, expression]) => ({
      variable: variableOf(parameter),
      pointer: expression.slice('$response.body#/'.length).split('/'),
    }));
}

function bodyOf(operation: Operation): string | undefined {
  if (operation.id !== 'createToken') return exampleBody(operation);
  const fields = { ...(operation.body?.example as Record<string, string>), ...credentials };
  return Object.entries(fields)
    .map(([name, value]) => `${name}=${value}`)
    .join('&');
}

/** The requests of all operations, in the order of the document. `createToken` comes first, because the other requests need its token. */
export function planRequests(document: OpenApiDocument): PlannedRequest[] {
  const sources = new Map(
    Object.values(document.paths)
      .flatMap((methods) => Object.values(methods))
      .map((source) => [source.operationId, source]),
  );
  const requests = operationsOf(document).map((operation) => {
    const source = sources.get(operation.id);
    const body = bodyOf(operation);
    return {
      operation,
      url: `{{baseUrl}}${operation.path.replace(/\{(\w+)\}/g, (_, name: string) => `{{${variableOf(name)}}}`)}`,
      headers: [
        ...(operation.scope === undefined ? [] : [['Authorization', 'Bearer {{accessToken}}'] as const]),
        ...(operation.body && body !== undefined ? [['Content-Type', operation.body.type] as const] : []),
      ],
      ...(body === undefined ? {} : { body }),
      saves: [
        ...(operation.id === 'createToken' ? [{ variable: 'accessToken', pointer: ['access_token'] }] : []),
        ...(source ? savesOf(source) : []),
      ],
    };
  });
  const isToken = ({ operation }: PlannedRequest) => operation.id === 'createToken';
  return [...requests.filter(isToken), ...requests.filter((request) => !isToken(request))];
}

/** Each variable with its initial value. The initial value is empty if a request sets the variable. */
export function variablesOf(requests: readonly PlannedRequest[]): [name: string, value: string][] {
  const texts = requests.flatMap(({ url, headers, body = '' }) => [url, body, ...headers.map(([, value]) => value)]);
  const used = texts.flatMap((text) => Array.from(text.matchAll(/\{\{(\w+)\}\}/g), ([, name = '']) => name));
  return [...new Set(used)].map((name) => [name, presets[name] ?? '']);
}
