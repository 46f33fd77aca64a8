import type { Evidence } from './evidence';

/** What sources outside have told in an earlier look. */
export interface Known {
  bureau?: NonNullable<Evidence['bureau']>;
  mailServer?: 'found' | 'none';
}

/** What a later look can do without asking for. */
export function knownOf(evidence: Evidence | undefined): Known {
  const { bureau, email } = evidence ?? {};
  return { ...(bureau ? { bureau } : {}), ...(email?.mailServer ? { mailServer: email.mailServer } : {}) };
}
