import type { Brand } from '../../../domain/brand/brand';
import type { FlowDefinition, Step } from '../../../domain/flows/definition';
import type { RunPlan, StepConfirmationProposal, StepLinkProposal } from '../../../domain/flows/run';
import { stepSettings } from '../../../domain/flows/step-settings';
import type { RunValues } from '../../../domain/flows/flow-values';
import { templates } from '../../../flows/templates';
import type { ApiConfig } from '../../../platform/config';
import { linkTexts } from '../../biometrics/create-link';
import type { Needs } from '../../dependencies';
import { languagesOf, withBrand } from '../../confirmations/send-confirmation';
import type { ConfirmationTerms } from '../../confirmations/terms';
import type { ProposeId } from '../../transactions/proposed-ids';

/** The dependencies that a plan needs. */
export type PlanDependencies = Needs<'confirmationSettings' | 'biometricsSettings'> & {
  config: Pick<ApiConfig, 'ALLOWED_COUNTRIES' | 'REQUIRE_VERIFIED_EMAIL'>;
};

/**
 * Returns the proposal of a confirm step. FLOW_SETTINGS applies only to built-in flows. Only a built-in flow has the same name as
 * its confirmation.
 */
function stepProposal(
  { config, confirmationSettings }: PlanDependencies,
  terms: ConfirmationTerms,
  brand: Brand,
  flow: FlowDefinition,
  name: string,
  values: RunValues | undefined,
): StepConfirmationProposal {
  const defaultSettings = stepSettings(flow, name, templates, values);
  const settings =
    flow.name === defaultSettings.name
      ? (confirmationSettings.get(defaultSettings.name) ?? defaultSettings)
      : defaultSettings;
  return {
    settings: { ...withBrand(terms.settingsOf(settings), brand), origin: `${flow.name}/${name}` },
    ...languagesOf(brand),
    allowedDialCodes: config.ALLOWED_COUNTRIES,
    requireVerifiedEmail: config.REQUIRE_VERIFIED_EMAIL,
  };
}

/** Returns the proposal of a biometrics step. `origin`: the names of the flow and the step, such as `sign-up/images`. */
function linkProposal(
  { config, biometricsSettings }: PlanDependencies,
  tenant: string,
  brand: Brand,
  origin: string,
  { channels, linkSeconds }: Extract<Step, { kind: 'biometrics' }>,
): StepLinkProposal {
  const { imageDays, facePolicy } = biometricsSettings(tenant);
  // There is no message after the decision: the next steps of the flow inform the person.
  const { decisionTexts: _, ...texts } = linkTexts(brand, channels, linkSeconds);
  return {
    origin,
    expiresAfterMs: linkSeconds * 1_000,
    ...languagesOf(brand),
    channels,
    ...texts,
    allowedDialCodes: config.ALLOWED_COUNTRIES,
    imageDays,
    ...(facePolicy ? { facePolicy } : {}),
  };
}

/**
 * Returns the plan of a flow run: its flow version, with the texts and settings of all steps, and the digest of the first code. `values`: what
 * its texts show, if the flow has values. Absent: samples.
 */
export function runPlanOf(
  dependencies: PlanDependencies,
  tenant: string,
  terms: ConfirmationTerms,
  brand: Brand,
  flow: FlowDefinition,
  proposeId: ProposeId,
  values?: RunValues,
): RunPlan {
  const steps = Object.entries(flow.steps);
  const confirmations = steps.flatMap(([name, { kind }]) =>
    kind === 'confirm' ? [[name, stepProposal(dependencies, terms, brand, flow, name, values)] as const] : [],
  );
  const links = steps.flatMap(([name, step]) =>
    step.kind === 'biometrics'
      ? [[name, linkProposal(dependencies, tenant, brand, `${flow.name}/${name}`, step)] as const]
      : [],
  );
  const firstSettings = Object.fromEntries(confirmations)[flow.start]?.settings;
  const firstId = proposeId('first confirmation');
  return {
    runId: proposeId('run'),
    flow,
    ...(firstSettings?.kind === 'token'
      ? { firstCode: { confirmationId: firstId, digest: terms.digestOf(firstId, firstSettings) } }
      : {}),
    confirmations: Object.fromEntries(confirmations),
    links: Object.fromEntries(links),
  };
}
