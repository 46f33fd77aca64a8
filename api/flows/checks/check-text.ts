import type { FlowDefinition } from '../../../domain/flows/definition';
import type { FlowIssue } from '../../../domain/flows/flow-issue';
import { flowLimits } from '../../../domain/flows/bounds';
import { quote } from '../../../domain/values';
import { bodyBytesMax, InvalidJson, parseJson, textIssues } from '../../http/body/read-json';
import { Problem } from '../../http/problem';
import { flowFieldsMax, readPutFlow } from '../read-put-body';
import { isDrawable } from './is-drawable';
import type { MessageCheck } from './message-check';
import { isJsonObject } from './shape-issues';
import { emptyRange, findRanges, type TextRange } from './text-ranges';

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
