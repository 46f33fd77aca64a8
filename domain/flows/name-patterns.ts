/** Patterns of names. Names appear in paths, search attributes, diagrams and responses. */
export const namePatterns = {
  /** Of flows and steps: sign-up. */
  kebab: /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/,
  /** Of replies and outcomes: NotMe. */
  pascal: /^[A-Z][A-Za-z0-9]*$/,
  /** Of events: step-up.started. */
  event: /^[a-z][a-z0-9]*(?:[.-][a-z0-9]+)*$/,
} as const;
