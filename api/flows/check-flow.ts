import { quote } from '../../domain/values';
import { languageHeaders, languageOfRequest } from '../http/language';
import type { Call, Handler } from '../http/route';
import type { LocatedIssue } from './checks/check-text';
import { orBusy, textLimitsOf } from './compute/flow-compute';
import type { CheckBody } from './flow-body';
import { reservedNames } from './flow-name';
import { requestedFlowName } from './flows';

/** The issue of a name for which PUT throws flow_reserved. An empty list for all other names. */
async function reservedNameIssues({ dependencies, tenant }: Call<CheckBody>, name: string): Promise<LocatedIssue[]> {
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
export const checkFlow: Handler<CheckBody> = async (call) => {
  const { dependencies, tenant, body } = call;
  const name = requestedFlowName(call);
  const language = languageOfRequest(call);
  const input = { name, text: body.text, language, ...textLimitsOf(dependencies, tenant) };
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
