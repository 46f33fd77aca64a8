import { existsSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { bodyBytesMax } from '../../api/body/read-json';
import { checkJsonShape, RepeatedField } from '../../api/body/json-shape';
import { checkDefinition, checkFlowHere } from '../../api/flows/check-definition';
import { isFields } from '../../api/flows/shape-issues';
import { flowFieldsMax, readPut } from '../../api/flows/read-put-body';
import { textFaults } from '../../api/body/text-faults';
import { Problem } from '../../api/problem';
import type { FlowDefinition } from '../../domain/flows/definition';
import type { FlowFault } from '../../domain/flows/flow-fault';
import { plainOf } from './plain-of';
import { FileError } from './file-error';
import { jsonFaultOf } from '../../platform/json-fault';
import { loadFlow } from './load-flow';
import { readScenarios, type Scenario } from './scenario';

/** A flow as its file has it, which it is when there are no faults. */
export interface OpenFlow {
  file: string;
  flow: FlowDefinition;
  /** All that is wrong with it under the texts that are deployed; of a .json what PUT /v1/flows/{name} tells. */
  faults: readonly FlowFault[];
}

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

/** What is wrong with a text as JSON, for PUT as well. */
function whyUnfit(text: string, error: unknown): string {
  if (error instanceof RepeatedField)
    return `line ${error.place.line}, column ${error.place.column}: ${error.path} is given twice. Keep one.`;
  if (error instanceof Problem) return error.message;
  const fault = jsonFaultOf(text);
  return fault ? `line ${fault.line}, column ${fault.column}: ${fault.what}.` : (error as Error).message;
}

/** A definition that is too large however it is written is told as a fault of the flow. */
function refuseTooLong(file: string, text: string, value: unknown): void {
  const bytes = Buffer.byteLength(text);
  if (bytes <= bodyBytesMax || Buffer.byteLength(JSON.stringify(value)) > bodyBytesMax) return;
  throw new FileError(
    `${file} has ${bytes} bytes, and PUT takes ${bodyBytesMax}, white space and escapes included. Indent it less, and write letters as they are.`,
  );
}

function fromJson(file: string): Record<string, unknown> {
  const text = readText(file);
  if (text.trim() === '') throw new FileError(`${file}: the file is empty.`);
  let value: unknown;
  try {
    checkJsonShape(text, flowFieldsMax);
    value = JSON.parse(text);
  } catch (error) {
    throw new FileError(`${file}: ${whyUnfit(text, error)}`);
  }
  refuseTooLong(file, text, value);
  // Of names that mean something to programs the flow's own faults tell.
  const unfit = Object.entries(textFaults(value, new Set())).map(
    ([path, faults]) => `${file}: ${path} ${faults.join(', ')}.`,
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
  if (plain === undefined) return { file, flow, faults: checkFlowHere(flow) };
  const judged = checkDefinition(plain);
  return { file, flow, faults: 'faults' in judged ? judged.faults : [] };
}

function openJson(file: string): OpenFlow {
  const body = fromJson(file);
  // The path that it is put to says the name of a flow, and here the file's own.
  const { name = stemOf(file) } = body;
  const read = readPut(typeof name === 'string' ? name : undefined, body);
  if ('flow' in read) return { file, flow: read.flow, faults: [] };
  const unnamed = !Object.hasOwn(body, 'name');
  const atFile = (fault: FlowFault): FlowFault =>
    unnamed && fault.path === 'name'
      ? { ...fault, mend: `${fault.mend} It is that of the file, for want of a name in it.` }
      : fault;
  // What is not one yet may still be drawn.
  return { file, flow: { version: 1, name, ...body } as unknown as FlowDefinition, faults: read.faults.map(atFile) };
}

/** The name of a flow's file without .flow.ts or .json. */
const stemOf = (file: string) => basename(file).replace(/(\.flow)?\.(ts|json)$/, '');

/** A file beside that of a flow, with another ending. */
export function besideFlow(file: string, ending: string): string {
  return join(dirname(file), `${stemOf(file)}${ending}`);
}

/** The scenarios beside a flow; those of a good one name what it has. Throws FileError and ScenarioError. */
export function openScenarios({ file, flow, faults }: OpenFlow): readonly Scenario[] {
  const scenarios = besideFlow(file, '.scenarios.yaml');
  if (!existsSync(scenarios)) throw new FileError(`${file} has no scenarios: there is no ${scenarios}.`);
  return readScenarios(scenarios, readText(scenarios), faults.length === 0 ? flow : undefined);
}
