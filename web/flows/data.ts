import type { components } from '../api-types';

type Schemas = components['schemas'];

export type FlowSummary = Schemas['FlowSummary'];
export type FlowDetails = Schemas['FlowDetails'];
export type FlowVersion = Schemas['FlowVersion'];
export type FlowDefinition = Schemas['FlowVersionDetails']['definition'];
export type FlowCheck = Schemas['FlowCheck'];
export type LocatedIssue = Schemas['LocatedFlowIssue'];
export type FlowTemplate = Schemas['FlowTemplate'];
export type FlowCounts = Schemas['FlowCounts'];
export type VersionRun = Schemas['FlowVersionRuns']['runs'][number];
export type FlowRun = Schemas['FlowRun'];
export type Visit = FlowRun['path'][number];
export type Awaited = NonNullable<FlowRun['awaited']>;

/** The name of a flow version. */
export interface FlowVersionId {
  name: string;
  version: number;
}

/** The outcomes of a definition, each once. */
export const outcomesOf = (steps: FlowDefinition['steps']): string[] => [
  ...new Set(Object.values(steps).flatMap((step) => (step.kind === 'outcome' ? [step.outcome] : []))),
];
