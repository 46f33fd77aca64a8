import type { FlowDefinition, Step } from '../../../domain/flows/definition';
import type { LinkProposal, RunPlan, StepProposal } from '../../../domain/flows/run';
import { settingsOf } from '../../../domain/flows/settings-of';
import { templates } from '../../../flows/templates';
import type { ApiConfig } from '../../../platform/config';
import { digestCode } from '../../../platform/codes';
import { linkTexts } from '../../biometrics/link-texts';
import type { Target } from '../../temporal/transactions';
import type { Dependencies } from '../../dependencies';
import { filled } from '../../confirmations/proposal';
import type { ProposedIds } from '../../temporal/proposed-ids';

/** What plans are made from. */
export type PlanParts = Pick<Dependencies, 'keys' | 'flows' | 'biometrics'> & {
  config: Pick<ApiConfig, 'BRAND' | 'DEFAULT_LANGUAGE' | 'ALLOWED_COUNTRIES' | 'REQUIRE_VERIFIED_EMAIL'>;
};

/** The numbers of FLOW_SETTINGS are those of the flows that the code brings; a tenant's own flow says its own. */
function stepProposal({ config, flows }: PlanParts, flow: FlowDefinition, name: string): StepProposal {
  const declared = settingsOf(flow, name, templates);
  const settings = flow.name === declared.name ? (flows.get(declared.name) ?? declared) : declared;
  return {
    flow: { ...filled(settings, config.BRAND), asker: `${flow.name}/${name}` },
    language: config.DEFAULT_LANGUAGE,
    allowedCountries: config.ALLOWED_COUNTRIES,
    requireVerifiedEmail: config.REQUIRE_VERIFIED_EMAIL,
  };
}

function linkProposal(
  { config, biometrics }: PlanParts,
  tenant: string,
  asker: string,
  { channels, linkSeconds }: Extract<Step, { kind: 'biometrics' }>,
): LinkProposal {
  const { imageDays, facePolicy } = biometrics(tenant);
  return {
    asker,
    expiresAfterMs: linkSeconds * 1_000,
    language: config.DEFAULT_LANGUAGE,
    channels,
    ...linkTexts(config.BRAND, channels, linkSeconds),
    allowedCountries: config.ALLOWED_COUNTRIES,
    imageDays,
    ...(facePolicy ? { facePolicy } : {}),
  };
}

function codeOf({ keys }: PlanParts, transactionId: string, confirmationId: string, { flow }: StepProposal) {
  return { confirmationId, digest: digestCode(keys, transactionId, confirmationId, flow) };
}

/** What a run of a flow takes along: its version, and everything that its steps say and may do. */
export function runPlanOf(
  parts: PlanParts,
  { tenant, id: transactionId }: Target,
  flow: FlowDefinition,
  ids: ProposedIds,
): RunPlan {
  const steps = Object.entries(flow.steps);
  const confirmations = steps.flatMap(([name, { kind }]) =>
    kind === 'confirm' ? [[name, stepProposal(parts, flow, name)] as const] : [],
  );
  const links = steps.flatMap(([name, step]) =>
    step.kind === 'biometrics' ? [[name, linkProposal(parts, tenant, `${flow.name}/${name}`, step)] as const] : [],
  );
  const first = Object.fromEntries(confirmations)[flow.start];
  return {
    runId: ids('run'),
    flow,
    ...(first?.flow.kind === 'token' ? { first: codeOf(parts, transactionId, ids('first confirmation'), first) } : {}),
    confirmations: Object.fromEntries(confirmations),
    links: Object.fromEntries(links),
  };
}
