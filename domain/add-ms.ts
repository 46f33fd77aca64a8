/** Adds milliseconds, which may be negative, to an ISO 8601 instant. */
export const addMs = (instant: string, ms: number): string => new Date(Date.parse(instant) + ms).toISOString();
