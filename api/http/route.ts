import type { Request, Response } from 'express';
import type { z } from 'zod';
import type { RunView } from '../../domain/flows/view-run';
import type { ApiConfig } from '../../platform/config';
import type { Scope } from './auth/scopes';
import type { Dependencies } from '../dependencies';
import type { AnswerHeader } from './openapi/answer-headers';
import type { ProblemCode } from './problems';

/** The path of one transaction, as SPEC writes it. */
export const transactionPath = '/v1/transaction/{id}';

/** What a handler gets: checked already, and of one tenant. */
export interface Call<Body = unknown> {
  dependencies: Dependencies;
  tenant: string;
  /** Who calls, for the audit log. */
  clientId: string;
  /** The transaction's id; empty where the path has none. */
  id: string;
  body: Body;
  idempotencyKey?: string;
  request: Request;
  /** Throws insufficient_scope when the caller has not the `further` scope of the row. */
  requireAdditionalScope: () => void;
  /** Names the transaction in the log's line of this request, where the path does not. */
  logTransaction: (id: string) => void;
  /** Names the run of a flow, and where it is, in the same line: all that is known of it by then. */
  logRun: (run: Partial<Pick<RunView, 'runId' | 'flow' | 'version' | 'step'>>) => void;
}

/** `body` is answered as JSON; `text` as it is. */
export interface Answer {
  status: number;
  headers?: Record<string, string>;
  body?: unknown;
  text?: string;
}

export type Handler<Body = unknown> = (call: Call<Body>) => Promise<Answer>;

/** How a documented answer looks; a string describes one that is not JSON. */
export type AnswerShape = z.ZodType | string;

/** What a request may say beside its path and body. */
export interface Parameter {
  name: string;
  in: 'query' | 'header';
  description: string;
  schema: Record<string, unknown>;
}

interface RouteBase {
  method: 'get' | 'post' | 'put' | 'delete';
  /** As SPEC writes it, with {id}. */
  path: string;
  summary: string;
  answers: Record<number, AnswerShape>;
  parameters?: readonly Parameter[];
  /** Headers that an answer with success may have, beyond those of every row of its sort. */
  responseHeaders?: readonly AnswerHeader[];
  /** Problems beyond those that every route of its sort can have. */
  problems?: readonly ProblemCode[];
}

/** A row for callers with an access token. */
export interface ApiRoute extends RouteBase {
  scope: Scope;
  /** A scope that only some of its requests need as well; `when` goes on after "Needs the scope … as well". */
  additionalScope?: { scope: Scope; when: string };
  /** The answer has words in the language that the caller accepts. */
  localized?: true;
  /** Strict JSON body; a row without one takes none. */
  body?: (parts: BodySettings) => z.ZodType;
  /** How many fields the body may have, where that is more than others may. */
  fieldsMax?: number;
  handler: Handler;
}

/** A row that reads its request and writes its answer itself: providers, persons, tokens, health, documents. */
export interface OpenRoute extends RouteBase {
  scope?: never;
  serve: (dependencies: Dependencies, request: Request, response: Response) => Promise<void> | void;
  /** Left out of the OpenAPI document: pages for persons and browsers. */
  undocumented?: true;
  /** Content type of the request body, where there is one. */
  requestBody?: { type: string; body: z.ZodType };
}

export type Route = ApiRoute | OpenRoute;

/** What a deployment sets of the form of bodies. */
export interface BodySettings {
  config: Pick<ApiConfig, 'STRICT_DOCUMENTS'>;
}

/** Whether requests of a row have a body. */
export const hasBody = ({ method }: Pick<Route, 'method'>): boolean => method === 'post' || method === 'put';

/** A row whose handler knows the type of its body. */
export function withBody<Schema extends z.ZodType>(
  row: Omit<ApiRoute, 'body' | 'handler'> & {
    body: (parts: BodySettings) => Schema;
    handler: Handler<z.output<Schema>>;
  },
): ApiRoute {
  return { ...row, handler: (call) => row.handler(call as Call<z.output<Schema>>) };
}

/** A row for browsers of people; it is not in the OpenAPI document. */
export const browserRow = (
  method: 'get' | 'post',
  path: string,
  summary: string,
  serve: OpenRoute['serve'],
): OpenRoute => ({
  method,
  path,
  summary,
  answers: { 200: '' },
  serve,
  undocumented: true,
});
