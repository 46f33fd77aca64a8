import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, extname, join, resolve } from 'node:path';
import { faultsHere } from '../../api/flows/faults-here';
import { judgeFlow } from '../../api/flows/judge-flow';
import { isFields } from '../../api/flows/is-fields';
import { readPut } from '../../api/flows/read-put-body';
import type { FlowDefinition } from '../../domain/flows/definition';
import { FlowError } from '../../domain/flows/flow-error';
import type { FlowFault } from '../../domain/flows/flow-fault';
import { plainOf } from './plain-of';
import { FileError } from './file-error';
import { jsonFaultOf } from '../../platform/json-fault';
import { readScenarios, type Scenario } from './scenario';

/** A flow as its file has it, which it is when there are no faults. */
export interface OpenFlow {
  file: string;
  flow: FlowDefinition;
  /** All that is wrong with it under the texts that are deployed; of a .json what PUT /v1/flows/{name} tells. */
  faults: readonly FlowFault[];
}

function isFlow(value: unknown): value is FlowDefinition {
  if (!isFields(value) || !isFields(value['steps'])) return false;
  const { name, version, start, steps } = value;
  const kinds = Object.values(steps).every((step) => isFields(step) && typeof step['kind'] === 'string');
  return kinds && typeof name === 'string' && typeof version === 'number' && typeof start === 'string';
}

function loadModule(file: string): Record<string, unknown> {
  try {
    return require(resolve(file)) as Record<string, unknown>;
  } catch (error) {
    // A flow with faults is opened as it is written, also by another copy of this code; anything else is of the file.
    if (error instanceof Error && error.name === FlowError.name) {
      const { definition } = error as FlowError;
      if (isFlow(definition)) return { default: definition };
      throw new FlowError(error.message);
    }
    throw new FileError(`${file} cannot be loaded: ${(error as Error).message}`);
  }
}

function fromModule(file: string): FlowDefinition {
  const exported = loadModule(file);
  if (isFlow(exported['default'])) return exported['default'];
  const flows = Object.values(exported).filter(isFlow);
  const [flow] = flows;
  if (flow && flows.length === 1) return flow;
  const found = flows.length === 0 ? 'exports no flow' : `exports ${flows.length} flows`;
  throw new FileError(`${file} ${found}: export one by defineFlow, or one as the default.`);
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    throw new FileError(`${file} cannot be read.`);
  }
}

function fromJson(file: string): Record<string, unknown> {
  const text = readText(file);
  if (text.trim() === '') throw new FileError(`${file}: the file is empty.`);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const fault = jsonFaultOf(text);
    if (fault) throw new FileError(`${file}: line ${fault.line}, column ${fault.column}: ${fault.what}.`);
    throw new FileError(`${file} is no JSON: ${(error as Error).message}`);
  }
  if (isFields(value)) return value;
  throw new FileError(`${file} is no flow: it is an object with start and steps.`);
}

/** Loads a flow from a .flow.ts or a .json. Throws FileError, and FlowError for a flow that refuses to be loaded. */
export function openFlow(file: string): OpenFlow {
  const end = extname(file);
  if (end !== '.ts' && end !== '.json') throw new FileError(`${file} is neither a .ts nor a .json.`);
  if (!existsSync(file)) throw new FileError(`${file} does not exist.`);
  return end === '.ts' ? openModule(file) : openJson(file);
}

function openModule(file: string): OpenFlow {
  const flow = fromModule(file);
  const plain = plainOf(flow);
  if (plain === undefined) return { file, flow, faults: faultsHere(flow) };
  const judged = judgeFlow(plain);
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

/** The scenarios beside a flow. Throws FileError and ScenarioError. */
export function openScenarios(file: string): readonly Scenario[] {
  const scenarios = besideFlow(file, '.scenarios.yaml');
  if (!existsSync(scenarios)) throw new FileError(`${file} has no scenarios: there is no ${scenarios}.`);
  return readScenarios(scenarios, readText(scenarios));
}
