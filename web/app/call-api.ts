import type { components, paths } from '../api-types';
import { acceptAccess, rejectAccess, requireAccess } from './access';
import { currentLanguage } from './language';
import { request } from './request';

type Problem = components['schemas']['Problem'];

/** An error answer of the API. */
export class ApiProblem extends Error {
  /** The code of the problem. `signed_out`: the token has expired, and the user has signed in again. Empty if a proxy sent the answer. */
  readonly code: Problem['code'] | 'signed_out' | '';

  constructor(
    readonly status: number,
    /** The fields of the problem. Empty if a proxy sent the answer. */
    readonly fields: Partial<Problem>,
    code?: 'signed_out',
  ) {
    super(`The API answered ${status} ${fields.code ?? ''}.`);
    this.code = code ?? fields.code ?? '';
  }
}

type Method = 'get' | 'post' | 'put' | 'delete';

/** The OpenAPI type of one operation, which is a path with a method. */
type Operation<Path extends keyof paths, Verb extends Method> = paths[Path][Verb & keyof paths[Path]];

/** The paths that have this method. */
type PathsWith<Verb extends Method> = {
  [Path in keyof paths]: Operation<Path, Verb> extends { responses: unknown } ? Path : never;
}[keyof paths];

/**
 * The type of an object with the parameters of an operation in one place: `path` or `query`. Example for `path`: { path: { id: string } }.
 * The field `path` or `query` is optional if all parameters in this place are optional.
 */
type ParametersIn<Operation, Place extends string> = Operation extends { parameters: Record<Place, infer Values> }
  ? { [Key in Place]: Values }
  : Operation extends { parameters: Partial<Record<Place, infer Values>> }
    ? [NonNullable<Values>] extends [never]
      ? unknown
      : { [Key in Place]?: Values }
    : unknown;

/** The JSON body of a request. */
type BodyOf<Operation> = Operation extends { requestBody: { content: { 'application/json': infer Body } } }
  ? { body: Body }
  : unknown;

/** The JSON body of a response. */
type ContentOf<Response> = Response extends { content: { 'application/json': infer Body } } ? Body : never;

/** The body of a successful response. */
type AnswerOf<Operation> = Operation extends { responses: infer Responses }
  ? {
      [Status in keyof Responses]: Status extends 200 | 201 | 202 ? ContentOf<Responses[Status]> : never;
    }[keyof Responses]
  : never;

type CallOptions<Operation> = ParametersIn<Operation, 'path'> &
  ParametersIn<Operation, 'query'> &
  BodyOf<Operation> & {
    headers?: Readonly<Record<string, string>>;
    credentials?: RequestCredentials;
    /** Ends the call. Its promise then rejects with the reason of the signal. */
    signal?: AbortSignal;
  };

/** `CallOptions` of any operation. */
interface AnyOptions {
  path?: Readonly<Record<string, unknown>>;
  query?: Readonly<Record<string, unknown>>;
  body?: unknown;
  headers?: Readonly<Record<string, string>>;
  credentials?: RequestCredentials;
  signal?: AbortSignal;
}

/** The URL of a call. `template`: the path with its parameters in braces. */
function urlOf(template: string, { path = {}, query = {} }: AnyOptions): string {
  const filled = template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(path[name])));
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return search === '' ? filled : `${filled}?${search}`;
}

/**
 * Calls an operation of the API, with its types from the OpenAPI document. Resolves to the body of the response. Rejects with ApiProblem
 * or Unreachable. If the API rejects the token, the user signs in again. After this sign-in, a GET is sent again. A request with another
 * method is not sent again, because another user may have signed in. The call then rejects with the code `signed_out`.
 */
export async function callApi<Verb extends Method, Path extends PathsWith<Verb>>(
  method: Verb,
  path: Path,
  options: CallOptions<Operation<Path, Verb>>,
): Promise<AnswerOf<Operation<Path, Verb>>> {
  const { headers, body: content, credentials, signal }: AnyOptions = options;
  for (;;) {
    const access = await requireAccess();
    signal?.throwIfAborted();
    const { status, body } = await request(urlOf(path, options), {
      method: method.toUpperCase(),
      headers: { 'Accept-Language': currentLanguage.get(), ...headers, Authorization: `Bearer ${access.token}` },
      body: content,
      credentials,
      signal,
    });
    if (status === 401) {
      rejectAccess(access);
      await requireAccess();
      if (method !== 'get') throw new ApiProblem(status, body as Partial<Problem>, 'signed_out');
    } else {
      acceptAccess(access);
      if (status >= 400) throw new ApiProblem(status, body as Partial<Problem>);
      return body as AnswerOf<Operation<Path, Verb>>;
    }
  }
}
