import { z } from 'zod';
import { biometricsStatuses } from '../../domain/biometrics/biometrics';
import { transactionStatuses } from '../../domain/transaction/status';
import type { Scope } from './auth/scopes';
import { named } from './openapi/schema-of';

export const utcTime = named('Time', z.iso.datetime().describe('ISO 8601 in UTC'));

export const channel = named('Channel', z.enum(['sms', 'email', 'whatsapp']));

export const transactionStatus = named('TransactionStatus', z.enum(transactionStatuses));

export const biometricsStatus = named('BiometricsStatus', z.enum(biometricsStatuses));

/** The field that a page of a list has in addition to its items. */
export const nextPage = { next: z.string().optional().describe('Send it as `after` to get the next page') };

export const auditEntry = named(
  'AuditEntry',
  z.strictObject({
    at: utcTime,
    actor: z.string(),
    action: z.string(),
    detail: z.record(z.string(), z.unknown()),
  }),
  { at: '2026-01-31T12:00:00.000Z', actor: 'acme', action: 'image_read', detail: { kind: 'selfie' } },
);

/**
 * Marks a text that gives access to everyone who has it, such as a URL with a token. `needs`: the scope or secret that a caller must have
 * to get the text. If the route needs a scope other than `needs`, its handler must leave the field out for callers without `needs`.
 */
export const sensitive = <Schema extends z.ZodType>(schema: Schema, needs: Scope | 'client secret'): Schema =>
  schema.meta({ 'x-needs': needs, description: `Gives access to everyone who has it. Needs: ${needs}` });
