import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import type { ApiResponse } from './api-response';

interface Operation {
  responses: Record<string, { content?: Record<string, unknown>; headers?: Record<string, { $ref: string }> }>;
}

export interface OpenApiDocument {
  openapi: string;
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: { Problem: { properties: object } } };
}

/** Standard HTTP and security headers, which the document does not list. */
const httpHeaders =
  /^(?:content-(?:type|length|security-policy)|date|connection|keep-alive|transfer-encoding|cache-control|pragma|vary|allow)$|^(?:x-(?:content|dns|download|frame|permitted|xss)-|cross-origin-|origin-agent-|referrer-|strict-)/;

const pointer = (...segments: string[]) =>
  segments.map((part) => `/${encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))}`).join('');

/** /openapi.json as a contract: the responses that the service may send. */
export class OpenApiContract {
  readonly #ajv = new Ajv2020({ strict: false, allErrors: true });
  readonly #validators = new Map<string, ValidateFunction>();
  readonly #paths: { template: string; matches: RegExp }[];

  constructor(readonly document: OpenApiDocument) {
    addFormats(this.#ajv);
    this.#ajv.addSchema(document, 'openapi');
    this.#paths = Object.keys(document.paths).map((template) => ({
      template,
      matches: new RegExp(`^${template.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')}$`),
    }));
  }

  /** Throws when the document does not allow the response. Ignores undocumented paths. */
  check(method: string, path: string, response: Pick<ApiResponse, 'status' | 'headers' | 'text' | 'body'>): void {
    const template = this.#paths.find(({ matches }) => matches.test(path))?.template;
    const operation = template && this.document.paths[template]?.[method.toLowerCase()];
    if (!template || !operation) return;
    const where = `${method} ${template} ${response.status}`;
    const documented = operation.responses[String(response.status)];
    if (!documented) throw new Error(`${where} is not documented: ${response.text}`);
    this.#checkHeaders(where, documented.headers ?? {}, response.headers);
    const [type = ''] = (response.headers.get('content-type') ?? '').split(';');
    if (!documented.content) return;
    if (!documented.content[type]) throw new Error(`${where} is documented, but not as ${type}`);
    const validate = this.#validator(
      `openapi#${pointer('paths', template, method.toLowerCase(), 'responses', String(response.status), 'content', type, 'schema')}`,
    );
    if (!validate(response.body))
      throw new Error(`${where} is not as documented: ${this.#ajv.errorsText(validate.errors)}\n${response.text}`);
    if (type === 'application/problem+json') this.#checkMembers(where, response.body as object);
  }

  #checkHeaders(where: string, documented: Record<string, { $ref: string }>, headers: Headers): void {
    const documentedHeaders = new Map(Object.entries(documented).map(([name, { $ref }]) => [name.toLowerCase(), $ref]));
    for (const [name, value] of headers) {
      if (httpHeaders.test(name)) continue;
      const reference = documentedHeaders.get(name);
      if (!reference) throw new Error(`${where}: the header ${name} is not documented`);
      const validate = this.#validator(`openapi${reference}/schema`);
      if (![value, Number(value)].some((one) => validate(one)))
        throw new Error(`${where}: the header ${name} is not as documented: ${value}`);
    }
  }

  /** The schema of problems is open (RFC 9457), but every member must be documented. */
  #checkMembers(where: string, problem: object): void {
    const { properties } = this.document.components.schemas.Problem;
    for (const name of Object.keys(problem))
      if (!(name in properties)) throw new Error(`${where}: ${name} is not a documented member of problems`);
  }

  #validator(reference: string): ValidateFunction {
    const documentedHeaders = this.#validators.get(reference) ?? this.#ajv.compile({ $ref: reference });
    this.#validators.set(reference, documentedHeaders);
    return documentedHeaders;
  }
}

export async function fetchContract(address: string): Promise<OpenApiContract> {
  const response = await fetch(`${address}/openapi.json`);
  return new OpenApiContract((await response.json()) as OpenApiDocument);
}
