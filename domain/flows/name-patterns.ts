/** Patterns of names. Names appear in paths, search attributes, diagrams and responses. */
export const namePatterns = {
  /** Names of flows and steps, such as sign-up. */
  kebab: /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/,
  /** Names of replies and outcomes, such as NotMe. */
  pascal: /^[A-Z][A-Za-z0-9]*$/,
  /** Names of events, such as step-up.started. */
  event: /^[a-z][a-z0-9]*(?:[.-][a-z0-9]+)*$/,
} as const;
