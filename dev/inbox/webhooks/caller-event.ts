import { z } from 'zod';

/** What the body of a webhook is. */
export const eventBodySchema = z.object({
  type: z.string(),
  timestamp: z.iso.datetime(),
  data: z.record(z.string(), z.union([z.string(), z.number(), z.null()])),
});

/** An event that a caller's server was told of. */
export interface CallerEvent extends z.infer<typeof eventBodySchema> {
  /** The header webhook-id. */
  id: string;
  tenant: string;
  /** When it came first. */
  receivedAt: string;
  /** How often it came: more than once when the answer was lost. */
  times: number;
}
