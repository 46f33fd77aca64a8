import { z } from 'zod';
import { utcTime } from '../http/response-fields';

const positiveInt = z.int().min(1);

const deletion = {
  deletedAt: utcTime.optional().describe('When it was deleted. Only with deleted=true'),
  running: z.int().optional().describe('Of a deleted flow or version: the number of its runs that still continue'),
};

const deletedBy = z.string().optional().describe('The client that deleted it. Only with deleted=true');

const version = { version: positiveInt, digest: z.string(), createdAt: utcTime, createdBy: z.string() };
const source = z.enum(['code', 'api']).describe('`code`: built into the service; `api`: created by this tenant');
const definition = z.looseObject({ name: z.string(), start: z.string(), steps: z.record(z.string(), z.unknown()) });

const summary = {
  name: z.string(),
  title: z.string().optional().describe('The title of the active version, or of the newest if none is active'),
  source,
  active: positiveInt.optional().describe('The version that new runs use; absent until one is activated'),
  newest: positiveInt,
  ...deletion,
};

export const flowList = z.strictObject({ flows: z.array(z.strictObject(summary)), next: z.string().optional() });

export const flowDetails = z.strictObject({
  ...summary,
  versions: z.array(z.strictObject({ ...version, title: z.string().optional(), ...deletion, deletedBy })),
  next: z.string().optional(),
});

export const newFlowVersion = z.strictObject({ name: z.string(), ...version });

export const flowVersionDetails = z.strictObject({
  name: z.string(),
  source,
  ...version,
  deletedAt: deletion.deletedAt,
  deletedBy,
  definition: definition.meta({ component: 'Flow', description: 'The definition, as in PUT /v1/flows/{name}' }),
});

export const flowActivation = z.strictObject({
  name: z.string(),
  version: positiveInt,
  activatedAt: utcTime,
  activatedBy: z.string(),
  previous: positiveInt.optional().describe('The version that was active before'),
});

export const flowVersionDeletion = z.strictObject({
  name: z.string(),
  version: positiveInt,
  deletedAt: utcTime,
  deletedBy: z.string(),
});

const runCounts = z.record(z.string(), positiveInt);

export const flowCounts = z.strictObject({
  name: z.string(),
  version: positiveInt,
  since: utcTime.describe('Counts runs that started at this time or later'),
  runs: z.int(),
  canceled: z.int(),
  current: runCounts.describe('By step: flow runs that are at it now'),
  entered: runCounts.describe('By step: runs that ever entered it, each counted once'),
  outcomes: runCounts.describe('By outcome: ended runs'),
  ended: z
    .array(z.strictObject({ day: z.iso.date(), outcomes: runCounts, canceled: z.int() }))
    .describe('Runs that ended on each of the last seven days (UTC), today first'),
});

export const flowVersionRuns = z.strictObject({
  name: z.string(),
  version: positiveInt,
  since: utcTime.describe('Lists runs that started at this time or later'),
  runs: z.array(
    z.strictObject({
      runId: z.string(),
      transactionId: z.string(),
      status: z.enum(['Running', 'Completed', 'Canceled']),
      outcome: z.string().optional(),
      startedAt: utcTime,
      endedAt: utcTime.optional(),
      path: z.array(z.strictObject({ step: z.string(), exit: z.string().optional(), reason: z.string().optional() })),
    }),
  ),
});

export const flowSchema = z.record(z.string(), z.unknown());
