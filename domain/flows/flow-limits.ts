const [minute, hour, day] = [60, 3_600, 86_400];

/** Limits of every flow. The limits of confirmations are in `settingsLimits`. Times in seconds. */
export const flowLimits = {
  /** Keeps the diagram readable. */
  steps: 40,
  /** Several definitions must fit into a payload of 2 MB. */
  definitionBytes: 65_536,
  rules: 20,
  /**
   * Issues that a check returns. After the author has fixed them, the next check returns the remaining issues. Also limits the time of a
   * check. For each unknown name, the check compares all known names, and a flow may have thousands of unknown names.
   */
  issues: 50,
  version: 999_999,
  /**
   * Versions of one flow. Deleted versions count too, because runs still use them. Enough for a new version each working day for
   * four years.
   */
  versions: 1_000,
  /**
   * Flows of one tenant. Deleted flows count too. Together with `versions` and `definitionBytes`, this limits the storage of a
   * tenant.
   */
  flowsPerTenant: 1_000,
  /** Names of flows, steps, events, outcomes and replies. Search attributes and columns contain them. */
  nameCharacters: 60,
  /** Titles, reasons of rules, and labels outside WhatsApp. */
  titleCharacters: 200,
  /** The limit of the provider for a message. Subjects have their own limit. */
  messageCharacters: 1_600,
  subjectCharacters: 150,
  /** The limits of WhatsApp for replies and for the label of a button. */
  replies: 10,
  labelCharacters: 20,
  conditionCharacters: 500,
  /** Visits to one step in a run. */
  visits: 5,
  /**
   * The search for the longest path goes through combinations. A combination is the step at which a run is, together with how often the
   * run has already entered each step that has `visits`. A flow with more combinations has the issue `too-many-paths`.
   */
  stepVisitCombinations: 5_000,
  /**
   * Steps that a run may enter. The path of the run takes 500 bytes per visit, and is part of payloads of at most 2 MB. Several
   * `decide` steps directly after each other run in one workflow task, which must stay short.
   */
  stepsEntered: 64,
  /** The longest duration of a run. */
  runSeconds: 60 * day,
  /** Messages of a run; equal to limits.sendsPerTransaction. */
  sends: 10,
  waitSeconds: [1, 30 * day],
  linkSeconds: [hour, 7 * day],
  decideWithinSeconds: [minute, 30 * day],
  giveUpAfterSeconds: [1, day],
  /** Runs of one transaction, including ended ones: each keeps its path. */
  runsPerTransaction: 10,
} as const;
