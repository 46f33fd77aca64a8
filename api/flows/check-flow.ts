import { quote } from '../../domain/text';
import { languageHeaders, languageOfRequest } from '../http/language';
import { type ApiRoute, type Call, type Handler, withBody } from '../http/route';
import type { LocatedIssue } from './checks/check-text';
import { orBusy, textLimitsOf } from './compute/flow-compute';
import { type CheckBody, checkBody, flowExample, reservedNames } from './flow-body';
import { flowPath, issue, requestedFlowName } from './flows';
import { bodyBytesMax } from '../http/body/read-json';
import { z } from 'zod';
import { named } from '../http/openapi/schema-of';

/** The issue of a name for which PUT throws flow_reserved. An empty list for all other names. */
async function reservedNameIssues(
  { dependencies, tenant }: Call<'flowStore', CheckBody>,
  name: string,
): Promise<LocatedIssue[]> {
  const existing = await dependencies.flowStore.listVersions(tenant, name, { limit: 1 });
  if (!reservedNames.has(name) && existing?.source !== 'code') return [];
  return [
    {
      ...{ code: 'name-reserved', path: 'name', line: 1, column: 1, endLine: 1, endColumn: 1 },
      message: `The name ${quote(name)} is reserved: a built-in flow or a path of the API has it.`,
      fix: 'Save the flow under another name.',
    },
  ];
}

/**
 * POST /v1/flows/{name}/check: checks the text of a flow by the same rules as PUT. Returns its issues and its diagram. The
 * diagram is in the language of the Accept-Language header. Saves nothing.
 */
export const checkFlow: Handler<
  'brands' | 'config' | 'flowCompute' | 'flowStore' | 'sendingLimits',
  CheckBody
> = async (call) => {
  const { dependencies, tenant, body } = call;
  const name = requestedFlowName(call);
  const language = languageOfRequest(call);
  const input = { name, text: body.text, language, ...(await textLimitsOf(dependencies, tenant)) };
  const result = await orBusy(dependencies.flowCompute.run(tenant, 'checkText', input));
  const issues = [...(await reservedNameIssues(call, name)), ...result.issues];
  const valid = issues.length === 0;
  const diagram = result.diagram === undefined ? {} : { diagram: result.diagram };
  return {
    status: 200,
    headers: languageHeaders(language),
    body: { valid, issues, ...(valid ? result.summary : {}), ...diagram },
  };
};

/** Maximum size of a request to check a flow. A JSON string can need six characters for one character of a text. */
const checkedBytesMax = 6 * bodyBytesMax;

export const flowCheck = named(
  'FlowCheck',
  z.strictObject({
    valid: z.boolean(),
    issues: z.array(issue),
    seconds: z.number().optional().describe('Only for a valid flow: the longest time that a flow run can take'),
    sends: z
      .int()
      .optional()
      .describe('Only for a valid flow: the highest number of messages that a flow run can send'),
    outcomes: z.array(z.string()).optional().describe('Only for a valid flow: how its flow runs can end'),
    diagram: z.string().optional().describe('The diagram as SVG; absent if fields have wrong types'),
  }),
  {
    valid: false,
    issues: [
      {
        code: 'leads-nowhere',
        path: 'steps.code.exits.Blocked',
        message: 'The next step is `deny`, but there is no such step.',
        fix: 'Did you mean `denied`? Use one of the steps: `code`, `denied`.',
        line: 9,
        column: 30,
        endLine: 9,
        endColumn: 36,
      },
    ],
  },
);

/** The check of a flow; not in SPEC. */
export const checkFlowRoutes: readonly ApiRoute[] = [
  withBody({
    operationId: 'checkFlow',
    method: 'post',
    path: `${flowPath}/check`,
    scope: 'flows:read',
    summary:
      'Check a flow without saving it: its issues with their places in the text, its longest time and its diagram',
    body: () => checkBody,
    example: { text: JSON.stringify(flowExample) },
    bodyLimits: { bytes: checkedBytesMax },
    responses: { 200: flowCheck },
    localized: true,
    problems: ['flows_busy'],
    ignoresKey: true,
    handler: checkFlow,
  }),
];
