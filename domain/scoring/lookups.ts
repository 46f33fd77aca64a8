import type { Evidence } from './evidence';

/** What sources outside have told in an earlier look. */
export interface Lookups {
  bureau?: NonNullable<Evidence['bureau']>;
  mailServer?: 'found' | 'none';
}

/** What a later look can do without asking for. */
export function lookupsOf(evidence: Evidence | undefined): Lookups {
  const { bureau, email } = evidence ?? {};
  return { ...(bureau ? { bureau } : {}), ...(email?.mailServer ? { mailServer: email.mailServer } : {}) };
}
