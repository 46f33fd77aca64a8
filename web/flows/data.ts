import type { components } from '../api-types';

type Schemas = components['schemas'];

/** A flow in the list of all flows. */
export type FlowSummary = Schemas['FlowSummary'];
/** A flow with one page of its versions. */
export type FlowDetails = Schemas['FlowDetails'];
/** A version in the list of a flow, without its steps. */
export type FlowVersion = Schemas['FlowVersion'];
/** The content of a flow version: its title and its steps. */
export type FlowDefinition = Schemas['FlowVersionDetails']['definition'];
/**
 * The result of the check of a text: the issues. A result without issues also says how long a flow run can take, and how many messages a
 * flow run can send.
 */
export type FlowCheck = Schemas['FlowCheck'];
/** An issue with its place in the text. */
export type LocatedIssue = Schemas['LocatedFlowIssue'];
/** A reviewed text of a message, in all languages. */
export type FlowTemplate = Schemas['FlowTemplate'];
/** The numbers of a version: flow runs by outcome, by step and by day. */
export type FlowCounts = Schemas['FlowCounts'];
/** A flow run in the list of a flow version. */
export type VersionRun = Schemas['FlowVersionRuns']['runs'][number];
export type FlowRun = Schemas['FlowRun'];
/** One stay of a flow run at a step. */
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
