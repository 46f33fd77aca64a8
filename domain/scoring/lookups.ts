import type { Evidence } from './evidence';

/** Results of the bureau and of DNS in an earlier assessment. */
export interface Lookups {
  bureau?: NonNullable<Evidence['bureau']>;
  mailServer?: 'found' | 'none';
}

/** The results that a reassessment can reuse. */
export function lookupsOf(evidence: Evidence | undefined): Lookups {
  const { bureau, email } = evidence ?? {};
  return { ...(bureau ? { bureau } : {}), ...(email?.mailServer ? { mailServer: email.mailServer } : {}) };
}
