import { z } from 'zod';

/** The body of a webhook. */
export const eventBodySchema = z.object({
  type: z.string(),
  timestamp: z.iso.datetime(),
  data: z.record(z.string(), z.union([z.string(), z.number(), z.null()])),
});

/** An event that a webhook received. */
export interface CallerEvent extends z.infer<typeof eventBodySchema> {
  /** The header webhook-id. */
  id: string;
  tenant: string;
  /** When the event arrived for the first time. */
  receivedAt: string;
  /** How often the event arrived. More than once, for example when a response was lost. */
  times: number;
}
