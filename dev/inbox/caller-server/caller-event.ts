import { z } from 'zod';

/** The body of a webhook. A test event has only its id, type and time. */
export const eventBodySchema = z.object({
  id: z.string(),
  type: z.string(),
  at: z.iso.datetime(),
  sequence: z.number().optional(),
  transactionId: z.string().optional(),
  status: z.string().optional(),
  data: z.record(z.string(), z.union([z.string(), z.number()])).optional(),
});

/** An event that the simulated server of a caller received. */
export interface CallerEvent extends z.infer<typeof eventBodySchema> {
  tenant: string;
  /** When the event arrived for the first time. */
  receivedAt: string;
  /** How many times the event arrived. It can arrive more than once, for example if a response was lost. */
  times: number;
}
