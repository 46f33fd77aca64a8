import { randomUUID } from 'node:crypto';
import { usualTerms } from '../../api/confirmations/terms';
import { type PlanDependencies, runPlanOf } from '../../api/flows/runs/run-plan';
import { serviceBrand } from '../../domain/brand/brand';
import type { FlowDefinition } from '../../domain/flows/definition';
import type { RunPlan } from '../../domain/flows/run';
import { testKeys } from './build';

const dependencies: PlanDependencies = {
  config: {
    ALLOWED_COUNTRIES: ['55'],
    REQUIRE_VERIFIED_EMAIL: false,
  },
  confirmationSettings: new Map(),
  biometricsSettings: () => ({ linkSeconds: 86_400, channels: [], imageDays: 90, imageUrlSeconds: 300 }),
};

/** The plan, as the API sends it to the workflow. */
export const planOf = (flow: FlowDefinition, transactionId: string): RunPlan =>
  runPlanOf(
    dependencies,
    'local',
    usualTerms(testKeys, transactionId),
    serviceBrand('Countersign', 'pt-BR'),
    flow,
    () => randomUUID(),
  );
