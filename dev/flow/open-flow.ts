import { existsSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { bodyBytesMax, InvalidJson, parseJson, textIssues } from '../../api/http/body/read-json';
import { checkDefinition, checkFlowWithTemplates, toJsonData } from '../../api/flows/checks/check-definition';
import { isJsonObject } from '../../api/flows/checks/shape-issues';
import type { MessageCheck } from '../../api/flows/checks/message-check';
import { flowFieldsMax, readPutFlow } from '../../api/flows/read-put-body';
import { Problem } from '../../api/http/problem';
import type { FlowDefinition } from '../../domain/flows/definition';
import type { FlowIssue } from '../../domain/flows/flow-issue';
import { quote, quoteAll } from '../../domain/text';
import { FileError, loadFlow } from './load-flow';
import { readScenarios, type Scenario } from './scenario';
import { parseWithPositions } from './parse-with-positions';

/** The content of a flow file. `flow` is a valid flow only when there are no issues. */
export interface FlowFile {
  file: string;
  flow: FlowDefinition;
  /**
   * The issues of the flow with the templates of this checkout. PUT /v1/flows/{name} makes the same checks, with two differences. PUT also
   * rejects reserved names. And PUT checks texts with the brand of the service and the limits of the tenant.
   */
  issues: readonly LocatedIssue[];
}

/** An issue of a flow, with its position in a .json file. */
export type LocatedIssue = FlowIssue & { position?: { line: number; column: number } };

function readText(file: string): string {
  let bytes: Buffer;
  try {
    bytes = readFileSync(file);
  } catch {
    throw new FileError(`${file} cannot be read.`);
  }
  try {
    // Like PUT, this ignores a byte order mark.
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new FileError(`${file} is not UTF-8.`);
  }
}

/** The names of the fields in a JSON error, as text. Empty if the error names no field. */
const fieldsOf = ({ extras }: InvalidJson) => (extras.errors ? ` Field: ${quoteAll(Object.keys(extras.errors))}.` : '');

/** The position and reason of a JSON error. */
function jsonErrorText(error: unknown): string {
  if (error instanceof InvalidJson)
    return `:${error.position.line}:${error.position.column}: ${error.reason}${fieldsOf(error)}`;
  if (error instanceof Problem) return `: ${error.message}`;
  throw error;
}

/** Throws for a file that is larger than the body that PUT accepts. */
function assertFileSize(file: string, text: string): void {
  const bytes = Buffer.byteLength(text);
  if (bytes <= bodyBytesMax) return;
  throw new FileError(
    `${file} has ${bytes} bytes, but PUT accepts at most ${bodyBytesMax}. Remove white space, or shorten the flow.`,
  );
}

function parseFlowJson(file: string, text: string): Record<string, unknown> {
  if (text.trim() === '') throw new FileError(`${file}: the file is empty.`);
  assertFileSize(file, text);
  let value: unknown;
  try {
    value = parseJson(text, flowFieldsMax);
  } catch (error) {
    throw new FileError(`${file}${jsonErrorText(error)}`);
  }
  // Field names such as `__proto__` are reported as issues of the flow, not here.
  const textErrors = Object.entries(textIssues(value, { forbidden: new Set() })).map(
    ([path, issues]) => `${file}: ${path === 'body' ? 'the flow' : quote(path)} ${issues.join(', ')}.`,
  );
  if (textErrors.length > 0) throw new FileError(textErrors.join('\n'));
  if (isJsonObject(value)) return value;
  throw new FileError(`${file} is not a flow. A flow is an object with \`start\` and \`steps\`.`);
}

/**
 * Loads a flow from a .ts or a .json file, and checks it. Throws FileError. Throws FlowError if the module throws a FlowError without
 * a definition.
 */
export function openFlow(file: string, checkMessage: MessageCheck): FlowFile {
  const extension = extname(file);
  if (extension !== '.ts' && extension !== '.json') throw new FileError(`${file} must end in .ts or .json.`);
  if (!existsSync(file)) throw new FileError(`${file} does not exist.`);
  if (!statSync(file).isFile()) throw new FileError(`${file} is not a file.`);
  return extension === '.ts' ? openModule(file, checkMessage) : openJson(file, checkMessage);
}

function openModule(file: string, checkMessage: MessageCheck): FlowFile {
  const flow = loadFlow(file);
  const jsonData = toJsonData(flow);
  if (jsonData === undefined) return { file, flow, issues: checkFlowWithTemplates(flow, { checkMessage }) };
  const checkResult = checkDefinition(jsonData, {}, checkMessage);
  return { file, flow, issues: 'issues' in checkResult ? checkResult.issues : [] };
}

function openJson(file: string, checkMessage: MessageCheck): FlowFile {
  const text = readText(file);
  const body = parseFlowJson(file, text);
  // PUT takes the name of a flow from the path of the request. Here, a flow without the field `name` gets the name of its file.
  const { name = stemOf(file) } = body;
  const readResult = readPutFlow(typeof name === 'string' ? name : undefined, body, checkMessage);
  if ('flow' in readResult) return { file, flow: readResult.flow, issues: [] };
  const hasNoName = !Object.hasOwn(body, 'name');
  const { positionOf } = parseWithPositions(text);
  const locateIssue = (issue: FlowIssue): LocatedIssue => ({
    ...issue,
    position: positionOf(issue.path === '' ? [] : issue.path.split('.')),
    ...(hasNoName && issue.path === 'name' ? { fix: `${issue.fix} The name comes from the file name.` } : {}),
  });
  // An invalid flow can still be drawn.
  return {
    file,
    flow: { version: 1, name, ...body } as unknown as FlowDefinition,
    issues: readResult.issues.map(locateIssue),
  };
}

/** The file name of a flow without .flow.ts, .ts or .json. */
const stemOf = (file: string) => basename(file).replace(/(\.flow)?\.(ts|json)$/, '');

/** The path of a file next to a flow file: the same file name, with this suffix instead of .flow.ts, .ts or .json. */
export function siblingFile(file: string, suffix: string): string {
  return join(dirname(file), `${stemOf(file)}${suffix}`);
}

/** Reads the scenarios of a flow. If the flow is valid, it must have the outcomes and steps that the scenarios expect. Throws FileError. */
export function openScenarios({ file, flow, issues }: FlowFile): readonly Scenario[] {
  const scenarioFile = siblingFile(file, '.scenarios.yaml');
  if (!existsSync(scenarioFile)) throw new FileError(`${file} has no scenarios. Write them in ${scenarioFile}.`);
  return readScenarios(scenarioFile, readText(scenarioFile), issues.length === 0 ? flow : undefined);
}
