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
/** A flow run in the list of a flow version. */
export type VersionRun = Schemas['FlowVersionRuns']['runs'][number];
export type FlowRun = Schemas['FlowRun'];
export type Visit = FlowRun['path'][number];
/** What a flow run waits for. */
export type Awaited = NonNullable<FlowRun['awaited']>;

/** The name of a flow, and the number of one of its versions. */
export interface FlowVersionId {
  name: string;
  version: number;
}

/** The outcomes in the steps of a flow, without repeats. */
export const outcomesOf = (steps: FlowDefinition['steps']): string[] => [
  ...new Set(Object.values(steps).flatMap((step) => (step.kind === 'outcome' ? [step.outcome] : []))),
];
