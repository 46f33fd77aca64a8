import { resolve } from 'node:path';
import { isFields } from '../../api/flows/checks/shape-issues';
import type { FlowDefinition } from '../../domain/flows/definition';
import { FlowError } from '../../domain/flows/flow-error';

/** A file that cannot be used. The message is what a person reads, a line for each issue. */
export class FileError extends Error {
  override name = 'FileError';
}

function isFlow(value: unknown): value is FlowDefinition {
  if (!isFields(value) || !isFields(value['steps'])) return false;
  const { name, version, start, steps } = value;
  const kinds = Object.values(steps).every((step) => isFields(step) && typeof step['kind'] === 'string');
  return kinds && typeof name === 'string' && typeof version === 'number' && typeof start === 'string';
}

/**
 * What the compiler says of a text that is no TypeScript, in one line: its words, and where its mark stands below a line of
 * the file. Undefined for any other message.
 */
function syntaxErrorOf(message: string): string | undefined {
  const [, what] = /^\s*[x×] +(.+)\n/u.exec(message) ?? [];
  const [, line, before = ''] = /\n *(\d+) [|│] .*\n *[:·] ( *)[^ \n]/u.exec(message) ?? [];
  if (what === undefined || line === undefined) return undefined;
  return `${line}:${before.length + 1}: ${what.trim()}.`;
}

function whyNotLoaded(file: string, message: string): string {
  const error = syntaxErrorOf(message);
  return error === undefined ? `${file} cannot be loaded: ${message.split('\n')[0]}` : `${file}:${error}`;
}

/** What a module exports; or the flow that it was written to, when it refuses to be loaded for its issues. */
function load(file: string): { exported: Record<string, unknown> } | { written: Record<string, unknown> } {
  try {
    return { exported: require(resolve(file)) as Record<string, unknown> };
  } catch (error) {
    const { name, message, definition } = error as FlowError;
    // Also by another copy of this code. Anything else is of the file.
    if (name !== FlowError.name) throw new FileError(whyNotLoaded(file, message));
    if (isFields(definition)) return { written: definition };
    throw new FlowError(message);
  }
}

/**
 * The flow that a module exports. One that refuses to be loaded is given as it was written, however far from a flow that is.
 * Throws FileError, and FlowError when nothing tells what was written.
 */
export function loadFlow(file: string): FlowDefinition {
  const loaded = load(file);
  if ('written' in loaded) return loaded.written as unknown as FlowDefinition;
  const { exported } = loaded;
  if (isFlow(exported['default'])) return exported['default'];
  const flows = Object.values(exported).filter(isFlow);
  const [flow] = flows;
  if (flow && flows.length === 1) return flow;
  const found = flows.length === 0 ? 'exports no flow' : `exports ${flows.length} flows`;
  throw new FileError(`${file} ${found}: export one by defineFlow, or one as the default.`);
}
