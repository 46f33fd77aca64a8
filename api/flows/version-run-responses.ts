import { z } from 'zod';
import { named, sample } from '../http/openapi/schema-of';
import { utcTime } from '../http/response-fields';
import { countedRunsMax } from '../../store/record/flow-runs.sql';
import { runStatus } from './runs/responses';

/** Numbers of flow runs, by the name of a step or outcome. */
const runCounts = named('RunCounts', z.record(z.string(), z.int().min(1)));

export const flowCounts = named(
  'FlowCounts',
  z.strictObject({
    name: z.string(),
    version: z.int().min(1),
    since: utcTime.describe(
      `Counts flow runs that started at this time or later. If more than ${countedRunsMax.toLocaleString('en')} started in the requested days, this is the start of the oldest counted run`,
    ),
    runs: z.int(),
    canceled: z.int(),
    current: runCounts.describe('By step: how many flow runs are at the step now'),
    entered: runCounts.describe('By step: how many flow runs ever entered the step. Each flow run counts once'),
    outcomes: runCounts.describe('By outcome: how many flow runs ended with it'),
    ended: z
      .array(z.strictObject({ day: z.iso.date(), outcomes: runCounts, canceled: z.int() }))
      .describe(
        `For each of the last seven days (UTC), today first: how many flow runs ended on this day, at most the last ${countedRunsMax.toLocaleString('en')}`,
      ),
  }),
  {
    name: 'sms-first',
    version: 1,
    since: '2026-01-24T12:00:00.000Z',
    runs: 40,
    canceled: 1,
    current: { code: 4 },
    entered: { code: 40, confirmed: 35 },
    outcomes: { Confirmed: 35 },
    ended: [{ day: '2026-01-31', outcomes: { Confirmed: 35 }, canceled: 1 }],
  },
);

export const flowVersionRuns = named(
  'FlowVersionRuns',
  z.strictObject({
    name: z.string(),
    version: z.int().min(1),
    since: utcTime.describe('Lists flow runs that started at this time or later'),
    runs: z.array(
      z.strictObject({
        runId: z.string(),
        transactionId: z.string(),
        status: runStatus,
        outcome: z.string().optional(),
        startedAt: utcTime,
        endedAt: utcTime.optional(),
        path: z.array(z.strictObject({ step: z.string(), exit: z.string().optional(), reason: z.string().optional() })),
      }),
    ),
  }),
  {
    name: 'sms-first',
    version: 1,
    since: '2026-01-24T12:00:00.000Z',
    runs: [
      {
        runId: sample.runId,
        transactionId: sample.transactionId,
        status: 'Completed',
        outcome: 'Confirmed',
        startedAt: '2026-01-31T12:00:00.000Z',
        endedAt: '2026-01-31T12:01:30.000Z',
        path: [{ step: 'code', exit: 'Valid' }, { step: 'confirmed' }],
      },
    ],
  },
);
