import type { Links } from '../evidence';
import type { Rule } from '../rule';

/**
 * Looks at how many documents share a value within the policy's days: from a half at the threshold on, because a
 * family shares too, rising towards 1 with every further document.
 */
export function sharing(variable: Exclude<keyof Links['spread'], 'Document'>): Rule['evaluate'] {
  return ({ evidence: { links }, thresholds: { sharedByDocuments, sharedWithinDays } }) => {
    const documents = links?.spread[variable]?.documents;
    if (documents === undefined) return undefined;
    const strength = documents >= sharedByDocuments ? 1 - (0.5 * sharedByDocuments) / documents : 0;
    return { strength, details: { documents, withinDays: sharedWithinDays } };
  };
}
