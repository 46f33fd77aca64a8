import { resolve } from 'node:path';
import { isJsonObject } from '../../api/flows/checks/shape-issues';
import { type FlowDefinition, FlowError } from '../../domain/flows/definition';

/** An unusable file. The message has one line per issue. */
export class FileError extends Error {
  override name = 'FileError';
}

/** Whether a value has the main fields of a flow. The other fields may be missing or wrong. */
function isFlow(value: unknown): value is FlowDefinition {
  if (!isJsonObject(value) || !isJsonObject(value['steps'])) return false;
  const { name, version, start, steps } = value;
  const haveKinds = Object.values(steps).every((step) => isJsonObject(step) && typeof step['kind'] === 'string');
  return haveKinds && typeof name === 'string' && typeof version === 'number' && typeof start === 'string';
}

/** A syntax error of the compiler in one line, as `line:column: text`. Undefined for any other message. */
function syntaxErrorOf(message: string): string | undefined {
  const [, reason] = /^\s*[x×] +(.+)\n/u.exec(message) ?? [];
  const [, line, indent = ''] = /\n *(\d+) [|│] .*\n *[:·] ( *)[^ \n]/u.exec(message) ?? [];
  if (reason === undefined || line === undefined) return undefined;
  return `${line}:${indent.length + 1}: ${reason.trim()}.`;
}

function loadErrorText(file: string, message: string): string {
  const error = syntaxErrorOf(message);
  return error === undefined ? `${file} cannot be loaded: ${message.split('\n')[0]}` : `${file}:${error}`;
}

/**
 * Loads a module and returns its exports. If `defineFlow` throws a FlowError because a definition has issues, returns this definition.
 */
function load(file: string): { exported: Record<string, unknown> } | { definition: Record<string, unknown> } {
  try {
    return { exported: require(resolve(file)) as Record<string, unknown> };
  } catch (error) {
    const { name, message, definition } = error as FlowError;
    // Compares the names of the error classes. The module may load another copy of this code, and `instanceof` is false for an error of
    // that copy.
    if (name !== FlowError.name) throw new FileError(loadErrorText(file, message));
    if (isJsonObject(definition)) return { definition };
    throw new FlowError(message);
  }
}

/**
 * Returns the flow that a module exports. A flow with issues is returned unchanged, so its fields may be missing or wrong. Throws FileError
 * if the file is unusable. Throws FlowError if the module throws a FlowError without a definition.
 */
export function loadFlow(file: string): FlowDefinition {
  const loadResult = load(file);
  if ('definition' in loadResult) return loadResult.definition as unknown as FlowDefinition;
  const { exported } = loadResult;
  if (isFlow(exported['default'])) return exported['default'];
  const flows = Object.values(exported).filter(isFlow);
  const [flow] = flows;
  if (flow && flows.length === 1) return flow;
  const reason = flows.length === 0 ? 'exports no flow' : `exports ${flows.length} flows`;
  throw new FileError(`${file} ${reason}. Export exactly one flow, or make one flow the default export.`);
}
