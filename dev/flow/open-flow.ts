import { existsSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { bodyBytesMax } from '../../api/http/body/read-json';
import { InvalidJson, parseJson } from '../../api/http/body/json-shape';
import { checkDefinition, checkFlowHere, readFlow } from '../../api/flows/checks/check-definition';
import { isFields } from '../../api/flows/checks/shape-issues';
import { flowFieldsMax, readPutFlow } from '../../api/flows/read-put-body';
import { textIssues } from '../../api/http/body/text-issues';
import { Problem } from '../../api/http/problem';
import type { FlowDefinition } from '../../domain/flows/definition';
import type { FlowIssue } from '../../domain/flows/flow-issue';
import { flowLimits } from '../../domain/flows/flow-limits';
import { FileError, loadFlow } from './load-flow';
import { readScenarios, type Scenario } from './scenario';
import { readPositions } from './read-positions';

/** A flow as its file has it, which it is when there are no issues. */
export interface OpenFlow {
  file: string;
  flow: FlowDefinition;
  /** All that is wrong with it under the texts that are deployed; of a .json what PUT /v1/flows/{name} tells. */
  issues: readonly LocatedIssue[];
}

/** What is wrong with a flow, and where in a .json that is. */
export type LocatedIssue = FlowIssue & { place?: { line: number; column: number } };

function readText(file: string): string {
  let bytes: Buffer;
  try {
    bytes = readFileSync(file);
  } catch {
    throw new FileError(`${file} cannot be read.`);
  }
  try {
    // As PUT reads it: a mark at the beginning, as some editors write it, is no part of the text.
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new FileError(`${file} is not in UTF-8.`);
  }
}

/** Where and why a text is no JSON that PUT takes. */
function whyUnfit(error: unknown): string {
  if (error instanceof InvalidJson) return `:${error.position.line}:${error.position.column}: ${error.reason}`;
  if (error instanceof Problem) return `: ${error.message}`;
  throw error;
}

/** A definition that is too large however it is written is told as an issue of the flow. */
function refuseTooLong(file: string, text: string, value: unknown): void {
  const bytes = Buffer.byteLength(text);
  if (bytes <= bodyBytesMax || Buffer.byteLength(JSON.stringify(value)) > bodyBytesMax) return;
  throw new FileError(
    `${file} has ${bytes} bytes, and PUT takes ${bodyBytesMax}, white space and escapes included. Indent it less, and write letters as they are.`,
  );
}

function fromJson(file: string, text: string): Record<string, unknown> {
  if (text.trim() === '') throw new FileError(`${file}: the file is empty.`);
  let value: unknown;
  try {
    value = parseJson(text, flowFieldsMax);
  } catch (error) {
    throw new FileError(`${file}${whyUnfit(error)}`);
  }
  refuseTooLong(file, text, value);
  // Of names that mean something to programs the flow's own issues tell.
  const unfit = Object.entries(textIssues(value, new Set())).map(
    ([path, issues]) => `${file}: ${path} ${issues.join(', ')}.`,
  );
  if (unfit.length > 0) throw new FileError(unfit.join('\n'));
  if (isFields(value)) return value;
  throw new FileError(`${file} is no flow: it is an object with start and steps.`);
}

/** Loads a flow from a .flow.ts or a .json. Throws FileError, and FlowError for a flow that refuses to be loaded. */
export function openFlow(file: string): OpenFlow {
  const end = extname(file);
  if (end !== '.ts' && end !== '.json') throw new FileError(`${file} is neither a .ts nor a .json.`);
  if (!existsSync(file)) throw new FileError(`${file} does not exist.`);
  if (!statSync(file).isFile()) throw new FileError(`${file} is no file.`);
  return end === '.ts' ? openModule(file) : openJson(file);
}

function openModule(file: string): OpenFlow {
  const flow = loadFlow(file);
  const plain = plainOf(flow);
  if (plain === undefined) return { file, flow, issues: checkFlowHere(flow) };
  const judged = checkDefinition(plain);
  return { file, flow, issues: 'issues' in judged ? judged.issues : [] };
}

function openJson(file: string): OpenFlow {
  const text = readText(file);
  const body = fromJson(file, text);
  // The path that it is put to says the name of a flow, and here the file's own.
  const { name = stemOf(file) } = body;
  const read = readPutFlow(typeof name === 'string' ? name : undefined, body);
  if ('flow' in read) return { file, flow: read.flow, issues: [] };
  const unnamed = !Object.hasOwn(body, 'name');
  const { placeOf } = readPositions(text);
  const inFile = (issue: FlowIssue): LocatedIssue => ({
    ...issue,
    place: placeOf(issue.path === '' ? [] : issue.path.split('.')),
    ...(unnamed && issue.path === 'name'
      ? { fix: `${issue.fix} It is that of the file, for want of a name in it.` }
      : {}),
  });
  // What is not one yet may still be drawn.
  return { file, flow: { version: 1, name, ...body } as unknown as FlowDefinition, issues: read.issues.map(inFile) };
}

/** A value as JSON has it; undefined for one that is no plain data, such as a circle. */
function plainOf(value: unknown): unknown {
  try {
    return JSON.parse(JSON.stringify(value));
  } catch {
    return undefined;
  }
}

/**
 * Whether there is something to draw: the shape of a flow, of a size that can be laid out. It may have any other issue, such
 * as an exit that leads to no step.
 */
export function isDrawable(flow: FlowDefinition): boolean {
  const version = Number.isInteger(flow.version) ? flow.version : 1;
  const steps = Object.keys(flow.steps ?? {}).length;
  const plain = plainOf({ ...flow, version });
  const read = plain === undefined ? { flow } : readFlow(plain);
  const shaped = 'flow' in read || read.issues.every(({ code }) => code === 'field-unknown');
  return shaped && steps > 0 && steps <= 2 * flowLimits.steps;
}

/** The name of a flow's file without .flow.ts or .json. */
const stemOf = (file: string) => basename(file).replace(/(\.flow)?\.(ts|json)$/, '');

/** A file beside that of a flow, with another ending. */
export function besideFlow(file: string, ending: string): string {
  return join(dirname(file), `${stemOf(file)}${ending}`);
}

/** The scenarios beside a flow; those of a good one name what it has. Throws FileError. */
export function openScenarios({ file, flow, issues }: OpenFlow): readonly Scenario[] {
  const scenarios = besideFlow(file, '.scenarios.yaml');
  if (!existsSync(scenarios)) throw new FileError(`${file} has no scenarios: there is no ${scenarios}.`);
  return readScenarios(scenarios, readText(scenarios), issues.length === 0 ? flow : undefined);
}
