import type { Attributes } from '@opentelemetry/api';
import { Client } from 'pg';
import { inSpan, isRecording } from '../telemetry/spans';

/** The first table of an SQL text, with what happens to it, such as `insert into` and a name. */
const tablePattern = /\b(?:(insert) into|(update)|(delete) from|from) +([a-z_]+)\b(?!\()/i;
/** A call of a function of our schema. */
const callPattern = /^\s*select (?!pg_)([a-z]+_[a-z_]+)\(/i;
const spanByText = new Map<string, { name: string; attributes: Attributes }>();

/** The name and the attributes of the span for an SQL text, such as `insert` and a table, or `call` and a function. They have no values. */
function spanOf(text: string): { name: string; attributes: Attributes } {
  const saved = spanByText.get(text);
  if (saved) return saved;
  const [, called] = callPattern.exec(text) ?? [];
  const [, insert, update, remove, table] = called === undefined ? (tablePattern.exec(text) ?? []) : [];
  const [word = 'query'] = /[a-z]+/i.exec(text) ?? [];
  const other = called !== undefined ? 'call' : table === undefined ? word : 'select';
  const operation = (insert ?? update ?? remove ?? other).toLowerCase();
  const target = called ?? table;
  const attributes = {
    'db.system.name': 'postgresql',
    'db.operation.name': operation,
    ...(table === undefined ? {} : { 'db.collection.name': table }),
  };
  const span = { name: target === undefined ? operation : `${operation} ${target}`, attributes };
  spanByText.set(text, span);
  return span;
}

/** The parts of `query` that all its overloads share. */
export type AnyQuery = (text: unknown, ...rest: unknown[]) => unknown;

/** Runs a query as a step of the current trace. Without a trace, and with a callback, which `inSpan` cannot follow, only runs it. */
export function runTraced(text: unknown, rest: readonly unknown[], run: () => unknown): unknown {
  if (typeof text !== 'string' || typeof rest.at(-1) === 'function' || !isRecording()) return run();
  const { name, attributes } = spanOf(text);
  return inSpan(name, attributes, run as () => Promise<unknown>);
}

/** A connection whose queries are steps of a trace. */
export class TracedClient extends Client {
  override readonly query = ((text, ...rest) =>
    runTraced(text, rest, () => (super.query as AnyQuery)(text, ...rest))) as AnyQuery as Client['query'];
}
