/** The part of JSON Schema that the OpenAPI document of the service uses. The other types here are parts of OpenAPI 3.1. */
export interface JsonSchema {
  $ref?: string;
  type?: string | string[];
  description?: string;
  format?: string;
  pattern?: string;
  enum?: readonly unknown[];
  const?: unknown;
  default?: unknown;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  maxProperties?: number;
  properties?: Readonly<Record<string, JsonSchema>>;
  required?: readonly string[];
  additionalProperties?: boolean | JsonSchema;
  items?: JsonSchema;
  anyOf?: readonly JsonSchema[];
  oneOf?: readonly JsonSchema[];
  allOf?: readonly JsonSchema[];
}

interface Reference {
  $ref: string;
  description?: string;
}

interface MediaType {
  schema: JsonSchema;
  examples?: { example: { value: unknown } };
}

export interface OpenApiParameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required?: boolean;
  description?: string;
  schema: JsonSchema;
}

export interface OpenApiResponse {
  description: string;
  content?: Readonly<Record<string, MediaType>>;
  headers?: Readonly<Record<string, Reference>>;
  links?: Readonly<Record<string, { operationId: string; parameters: Readonly<Record<string, string>> }>>;
}

export interface OpenApiOperation {
  tags: readonly string[];
  summary: string;
  description?: string;
  operationId: string;
  security: readonly { token?: readonly string[] }[];
  parameters?: readonly (OpenApiParameter | Reference)[];
  requestBody?: { required: boolean; content: Readonly<Record<string, MediaType>> };
  responses: Readonly<Record<string, OpenApiResponse | Reference>>;
}

export interface OpenApiDocument {
  info: { title: string; description: string };
  tags: readonly { name: string; description: string }[];
  paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>;
  components: {
    schemas: Readonly<Record<string, JsonSchema>>;
    responses: Readonly<Record<string, OpenApiResponse>>;
    parameters: Readonly<Record<string, OpenApiParameter>>;
    headers: Readonly<Record<string, { description?: string; schema: JsonSchema }>>;
    securitySchemes: { token: { flows: { clientCredentials: { scopes: Readonly<Record<string, string>> } } } };
  };
}

/** The last part of a reference, such as `Problem` for `#/components/schemas/Problem`. */
export const nameOf = (reference: string): string => reference.slice(reference.lastIndexOf('/') + 1);
