/** The instant so many milliseconds after another, or before it when they are negative; both as state keeps them. */
export const addMs = (instant: string, ms: number): string => new Date(Date.parse(instant) + ms).toISOString();
