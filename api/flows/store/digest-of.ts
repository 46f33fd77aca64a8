import { createHash } from 'node:crypto';
import { canonical } from '../../temporal/canonical';

/** Tells whether two values are the same, whatever the order of their fields. */
export const digestOf = (value: unknown): string => createHash('sha256').update(canonical(value)).digest('hex');
