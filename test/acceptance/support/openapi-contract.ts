import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import type { ApiResponse } from './api-response';

interface Response {
  content?: Record<string, unknown>;
  headers?: Record<string, { $ref: string }>;
}

interface Operation {
  responses: Record<string, Response | { $ref: string }>;
}

export interface OpenApiDocument {
  openapi: string;
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: { Problem: { properties: object } }; responses: Record<string, Response> };
}

/** Standard HTTP and security headers, which are not in the document. */
const undocumentedHeaders =
  /^(?:content-(?:type|length|encoding|security-policy)|date|connection|keep-alive|transfer-encoding|cache-control|pragma|vary|allow)$|^(?:x-(?:content|dns|download|frame|permitted|xss)-|cross-origin-|origin-agent-|referrer-|strict-)/;

/** A JSON pointer for the fragment of a URI. */
const toPointer = (...segments: string[]) =>
  segments.map((part) => `/${encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))}`).join('');

/** Checks responses against /openapi.json. */
export class OpenApiContract {
  readonly #ajv = new Ajv2020({ strict: false, allErrors: true });
  readonly #validators = new Map<string, ValidateFunction>();
  readonly #paths: { template: string; pattern: RegExp }[];

  constructor(readonly document: OpenApiDocument) {
    addFormats(this.#ajv);
    this.#ajv.addSchema(document, 'openapi');
    this.#paths = Object.keys(document.paths).map((template) => ({
      template,
      pattern: new RegExp(`^${template.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')}$`),
    }));
  }

  /** Throws if the document does not allow the response. Ignores undocumented paths. */
  check(method: string, path: string, response: Pick<ApiResponse, 'status' | 'headers' | 'text' | 'body'>): void {
    const template = this.#paths.find(({ pattern }) => pattern.test(path))?.template;
    const operation = template && this.document.paths[template]?.[method.toLowerCase()];
    if (!template || !operation) return;
    const location = `${method} ${template} ${response.status}`;
    const pointer = toPointer('paths', template, method.toLowerCase(), 'responses', String(response.status));
    const [responsePointer, documentedResponse] = this.#resolve(pointer, operation.responses[String(response.status)]);
    if (!documentedResponse) throw new Error(`${location} is not documented: ${response.text}`);
    this.#checkHeaders(location, documentedResponse.headers ?? {}, response.headers);
    const [type = ''] = (response.headers.get('content-type') ?? '').split(';');
    if (!documentedResponse.content) return;
    if (!documentedResponse.content[type]) throw new Error(`${location} is documented, but not as ${type}`);
    const validate = this.#validatorFor(`openapi#${responsePointer}${toPointer('content', type, 'schema')}`);
    if (!validate(/json/.test(type) ? response.body : response.text))
      throw new Error(`${location} is not as documented: ${this.#ajv.errorsText(validate.errors)}\n${response.text}`);
    if (type === 'application/problem+json') this.#checkMembers(location, response.body as object);
  }

  /** Returns the response, or the response to which its `$ref` points, and the place in the document. */
  #resolve(
    pointer: string,
    response: Response | { $ref: string } | undefined,
  ): [pointer: string, Response | undefined] {
    if (!response || !('$ref' in response)) return [pointer, response];
    const name = response.$ref.replace('#/components/responses/', '');
    return [toPointer('components', 'responses', name), this.document.components.responses[name]];
  }

  #checkHeaders(location: string, documentedRefs: Record<string, { $ref: string }>, headers: Headers): void {
    const documentedHeaders = new Map(
      Object.entries(documentedRefs).map(([name, { $ref }]) => [name.toLowerCase(), $ref]),
    );
    for (const [name, value] of headers) {
      if (undocumentedHeaders.test(name)) continue;
      const reference = documentedHeaders.get(name);
      if (!reference) throw new Error(`${location}: the header ${name} is not documented`);
      const validate = this.#validatorFor(`openapi${reference}/schema`);
      if (![value, Number(value)].some((one) => validate(one)))
        throw new Error(`${location}: the header ${name} is not as documented: ${value}`);
    }
  }

  /** Throws if a problem has an undocumented member. The schema allows undocumented members, because RFC 9457 allows them. */
  #checkMembers(location: string, problem: object): void {
    const { properties } = this.document.components.schemas.Problem;
    for (const name of Object.keys(problem))
      if (!(name in properties)) throw new Error(`${location}: ${name} is not a documented member of problems`);
  }

  #validatorFor(reference: string): ValidateFunction {
    const validator = this.#validators.get(reference) ?? this.#ajv.compile({ $ref: reference });
    this.#validators.set(reference, validator);
    return validator;
  }
}

/** Reads /openapi.json. */
export async function fetchContract(address: string): Promise<OpenApiContract> {
  const response = await fetch(`${address}/openapi.json`);
  return new OpenApiContract((await response.json()) as OpenApiDocument);
}
