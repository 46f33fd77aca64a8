import type { OpenApiDocument, OpenApiOperation, OpenApiParameter, OpenApiResponse } from './openapi';
import { type JsonSchema, nameOf } from './openapi';

export interface OperationResponse extends OpenApiResponse {
  status: number;
}

/** An operation, with all references of its parameters and responses replaced by their targets. */
export interface Operation {
  id: string;
  method: string;
  path: string;
  /** The name of its group, such as `Flows`. Each group has a page in the reference. */
  group: string;
  /** The URL of the operation in the reference. */
  url: string;
  summary: string;
  description?: string | undefined;
  /** The scope that the access token needs. Undefined if the operation needs no access token. */
  scope?: string | undefined;
  parameters: readonly OpenApiParameter[];
  body?: { type: string; schema: JsonSchema; example: unknown; isRequired: boolean } | undefined;
  responses: readonly OperationResponse[];
  /** The problem codes of its responses. */
  codes: readonly string[];
}

/** The last part of the URL of a group. */
export const groupSlug = (group: string) => group.toLowerCase().replace(/[^a-z]+/g, '-');

export const groupUrl = (group: string) => `/docs/api/${groupSlug(group)}`;

/** The codes that the description of a problem response names, such as "`not_found`: The path does not exist." */
const codesIn = (description: string) => Array.from(description.matchAll(/`([a-z_]+)`: /g), ([, code = '']) => code);

/** Makes an operation from its part of the OpenAPI document. */
function toOperation(
  { components }: OpenApiDocument,
  path: string,
  method: string,
  operation: OpenApiOperation,
): Operation {
  const [group = ''] = operation.tags;
  const responses = Object.entries(operation.responses).map(([status, response]) => {
    if (!('$ref' in response)) return { ...response, status: Number(status) };
    const shared = components.responses[nameOf(response.$ref)];
    if (!shared) throw new Error(`${response.$ref} does not exist.`);
    return { ...shared, description: response.description ?? shared.description, status: Number(status) };
  });
  const parameters = (operation.parameters ?? []).map((parameter) => {
    if (!('$ref' in parameter)) return parameter;
    const shared = components.parameters[nameOf(parameter.$ref)];
    if (!shared) throw new Error(`${parameter.$ref} does not exist.`);
    return shared;
  });
  const [type, media] = Object.entries(operation.requestBody?.content ?? {})[0] ?? [];
  return {
    id: operation.operationId,
    method: method.toUpperCase(),
    path,
    group,
    url: `${groupUrl(group)}#${operation.operationId}`,
    summary: operation.summary,
    description: operation.description,
    scope: operation.security[0]?.token?.[0],
    parameters,
    body:
      type !== undefined && media
        ? {
            type,
            schema: media.schema,
            example: media.examples?.example.value,
            isRequired: operation.requestBody?.required === true,
          }
        : undefined,
    responses,
    codes: responses.filter(({ status }) => status >= 400).flatMap(({ description }) => codesIn(description)),
  };
}

/** The groups of operations with their descriptions, in the order of their first operations. */
export const groupsOf = ({ tags }: OpenApiDocument, operations: readonly Operation[]) =>
  [...new Set(operations.map(({ group }) => group))].flatMap((group) => tags.filter(({ name }) => name === group));

/** All operations of a document, in its order. */
export const operationsOf = (document: OpenApiDocument): Operation[] =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => toOperation(document, path, method, operation)),
  );
