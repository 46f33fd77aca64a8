import { z } from 'zod';
import { time } from '../http/response-fields';

const number = z.int().min(1);

const ofDeleted = {
  deletedAt: time.optional().describe('Since when it is deleted, where deleted ones are asked for'),
  running: z.int().optional().describe('Of a deleted one: runs that still continue'),
};

const deletedBy = z.string().optional().describe('Of a deleted version: the client that deleted it');

const version = { version: number, digest: z.string(), createdAt: time, createdBy: z.string() };
const source = z.enum(['code', 'api']).describe('`code`: deployed with the service; `api`: of this tenant alone');
const definition = z.looseObject({ name: z.string(), start: z.string(), steps: z.record(z.string(), z.unknown()) });

const summary = {
  name: z.string(),
  title: z.string().optional().describe('Of the active version, or of the newest if none is active'),
  source,
  active: number.optional().describe('The version of new runs; absent until one is activated'),
  newest: number,
  ...ofDeleted,
};

export const flowList = z.strictObject({ flows: z.array(z.strictObject(summary)), next: z.string().optional() });

export const flowRead = z.strictObject({
  ...summary,
  versions: z.array(z.strictObject({ ...version, title: z.string().optional(), ...ofDeleted, deletedBy })),
  next: z.string().optional(),
});

export const flowVersionAdded = z.strictObject({ name: z.string(), ...version });

export const flowVersionRead = z.strictObject({
  name: z.string(),
  source,
  ...version,
  deletedAt: ofDeleted.deletedAt,
  deletedBy,
  definition: definition.meta({ component: 'Flow', description: 'As PUT /v1/flows/{name} takes it' }),
});

export const flowActivated = z.strictObject({
  name: z.string(),
  version: number,
  activatedAt: time,
  activatedBy: z.string(),
  previous: number.optional().describe('What was active until then'),
});

export const flowVersionDeleted = z.strictObject({
  name: z.string(),
  version: number,
  deletedAt: time,
  deletedBy: z.string(),
});

const runsBy = z.record(z.string(), number);

export const flowCounts = z.strictObject({
  name: z.string(),
  version: number,
  since: time.describe('Runs that began then or later are counted'),
  runs: z.int(),
  canceled: z.int(),
  here: runsBy.describe('By step: runs that are at it now'),
  entered: runsBy.describe('By step: runs that have ever entered it, each once'),
  outcomes: runsBy.describe('By outcome: runs that ended with it'),
  ended: z
    .array(z.strictObject({ day: z.iso.date(), outcomes: runsBy, canceled: z.int() }))
    .describe('What ended on each of the last seven days (UTC), today first, whenever it began'),
});

export const flowVersionRuns = z.strictObject({
  name: z.string(),
  version: number,
  since: time.describe('Runs that began then or later are listed'),
  runs: z.array(
    z.strictObject({
      runId: z.string(),
      transactionId: z.string(),
      status: z.enum(['Running', 'Completed', 'Canceled']),
      outcome: z.string().optional(),
      startedAt: time,
      endedAt: time.optional(),
      path: z.array(z.strictObject({ step: z.string(), exit: z.string().optional(), reason: z.string().optional() })),
    }),
  ),
});

export const flowSchema = z.record(z.string(), z.unknown());
