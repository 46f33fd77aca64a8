import type { FlowDefinition } from '../../../domain/flows/definition';
import type { FlowIssue } from '../../../domain/flows/flow-issue';
import { flowLimits } from '../../../domain/flows/bounds';
import { quote } from '../../../domain/text';
import { bodyBytesMax, InvalidJson, parseJson, textIssues, type TextPosition } from '../../http/body/read-json';
import { Problem } from '../../http/problem';
import { flowFieldsMax, readPutFlow } from '../read-put-body';
import type { MessageCheck } from './message-check';
import { isJsonObject } from './shape-issues';
import { edgesOf } from '../../../domain/flows/transitions';
import { readFlow, toJsonData } from './check-definition';
import { type Node, parseTree } from 'jsonc-parser';

/** An issue, and where in the text it is. */
export type LocatedIssue = FlowIssue & TextRange;

/** The result of a check. A flow with issues can still have a diagram. */
export interface FlowCheck {
  issues: readonly LocatedIssue[];
  /**
   * The flow, with version 1 as a placeholder. Absent if the text is no JSON object. If there are issues, the value may not have the shape
   * of a flow.
   */
  flow?: FlowDefinition;
  /** Whether the flow can have a diagram. */
  isDrawable: boolean;
}

const start = { line: 1, column: 1 };

/** The result for an issue of the text itself, for example a syntax error. Nothing else can be checked then. */
const textIssue = (code: string, range: TextRange, message: string, fix: string): FlowCheck => ({
  issues: [{ code, path: '', message, fix, ...range }],
  isDrawable: false,
});

/** For `textIssues`: no field name is forbidden here, because the check against the schema already reports unknown names. */
const noForbiddenNames: ReadonlySet<string> = new Set();

/** The issue of a text that the parser rejects. Throws all other errors. */
function parseIssue(error: unknown): FlowCheck {
  if (error instanceof InvalidJson) {
    const isRepeated = error.code === 'duplicate_field';
    const fix = isRepeated ? 'Remove or rename one of the two.' : 'Correct the JSON here, or just before.';
    return textIssue(isRepeated ? 'field-twice' : 'json-invalid', emptyRange(error.position), error.reason, fix);
  }
  if (!(error instanceof Problem)) throw error;
  return textIssue('json-too-complex', emptyRange(start), `${error.message}.`, 'Shorten or flatten the flow.');
}

/**
 * Checks the text of a flow as PUT /v1/flows/{name} does, and finds the place of each issue in the text. If the text is not JSON, returns
 * an issue and does not throw.
 */
export function checkFlowText(name: string, text: string, checkMessage: MessageCheck): FlowCheck {
  const bytes = Buffer.byteLength(text);
  if (bytes > bodyBytesMax)
    return textIssue(
      'definition-too-large',
      emptyRange(start),
      `The text has ${bytes} bytes.`,
      `Use at most ${bodyBytesMax} bytes. Remove white space, or shorten texts.`,
    );
  let body: unknown;
  try {
    body = parseJson(text, flowFieldsMax);
  } catch (error) {
    return parseIssue(error);
  }
  if (!isJsonObject(body))
    return textIssue(
      'wrong-type',
      emptyRange(start),
      'The text is not a flow.',
      'Write an object with `start` and `steps`.',
    );
  const rangeOf = findRanges(text);
  const unsafeTexts = Object.entries(textIssues(body, { forbidden: noForbiddenNames })).map(
    ([path, [issue = '']]): FlowIssue => ({
      code: 'text-unsafe',
      path: path === 'body' ? '' : path,
      message: `${path === 'body' ? 'The flow' : quote(path.split('.').at(-1) ?? '')} ${issue}.`,
      fix: 'Remove the character.',
    }),
  );
  const result = readPutFlow(name, body, checkMessage);
  const issues = [...unsafeTexts, ...('issues' in result ? result.issues : [])];
  const flow = 'flow' in result ? result.flow : ({ version: 1, name, ...body } as unknown as FlowDefinition);
  return {
    issues: issues.slice(0, flowLimits.issues).map((issue) => ({ ...issue, ...rangeOf(issue.path) })),
    flow,
    isDrawable: unsafeTexts.length === 0 && isDrawable(flow),
  };
}

/** Boxes of a drawing, with a box for each step that does not exist. An author may draw a flow before splitting it in two. */
const boxesMax = 2 * flowLimits.steps;

/**
 * Whether a value can have a diagram: it has all required fields of a flow, with valid types, and few enough boxes and arrows. Unknown
 * fields do not matter. Transitions to steps that do not exist do not matter either.
 */
export function isDrawable(flow: FlowDefinition): boolean {
  const version = Number.isInteger(flow.version) ? flow.version : 1;
  const jsonData = toJsonData({ ...flow, version });
  const readResult = jsonData === undefined ? { flow } : readFlow(jsonData);
  const hasFlowShape = 'flow' in readResult || readResult.issues.every(({ code }) => code === 'field-unknown');
  if (!hasFlowShape || Object.keys(flow.steps).length === 0) return false;
  const arrows = edgesOf(flow);
  const boxes = new Set([...Object.keys(flow.steps), flow.start, ...arrows.map(({ to }) => to)]);
  return boxes.size <= boxesMax && arrows.length <= flowLimits.arrows;
}

/**
 * A part of a text. `line` and `column` are the place of its first character. `endLine` and `endColumn` are the place after its last
 * character. Lines and columns start at 1, as in editors.
 */
export interface TextRange {
  line: number;
  column: number;
  endLine: number;
  endColumn: number;
}

/** A range without any character, at a position. */
export const emptyRange = ({ line, column }: TextPosition): TextRange => ({
  line,
  column,
  endLine: line,
  endColumn: column,
});

/** Finds a field of an object by its name, or an item of a list by its index. */
function childAt(node: Node, key: string): Node | undefined {
  if (node.type === 'array') return node.children?.[Number(key)];
  return node.children?.find(({ children }) => children?.[0]?.value === key);
}

/**
 * Creates a function that finds the range of a path such as `steps.code.sendLimit` in a JSON text. The range covers the value of the path.
 * If the value is an object or a list, the range covers the name of the field instead. If the path does not exist, the function returns
 * the range of the nearest parent field. If no parent field exists, it returns the range of the first character.
 */
export function findRanges(text: string): (path: string) => TextRange {
  const root = parseTree(text);
  const lineStarts = [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)];
  const positionOf = (offset: number): TextPosition => {
    const line = lineStarts.findLastIndex((start) => start <= offset);
    return { line: line + 1, column: offset - (lineStarts[line] ?? 0) + 1 };
  };
  const rangeOf = (offset: number, length: number): TextRange => {
    const [start, end] = [positionOf(offset), positionOf(offset + length)];
    return { ...start, endLine: end.line, endColumn: end.column };
  };
  return (path) => {
    let [node, shown]: [Node | undefined, Node | undefined] = [root, undefined];
    for (const key of path === '' ? [] : path.split('.')) {
      const child: Node | undefined = node && childAt(node, key);
      if (!child) break;
      const [name, value] = child.type === 'property' ? (child.children ?? []) : [child, child];
      const hasParts = value === undefined || value.type === 'object' || value.type === 'array';
      [node, shown] = [value, hasParts ? name : value];
    }
    return shown ? rangeOf(shown.offset, shown.length) : rangeOf(root?.offset ?? 0, root ? 1 : 0);
  };
}
