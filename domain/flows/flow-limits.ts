const [minute, hour, day] = [60, 3_600, 86_400];

/** Limits of every flow. The limits of confirmations are in `settingsLimits`. A range is written as [minimum, maximum]. */
export const flowLimits = {
  /** Steps of one flow. With more steps, its diagram would be hard to read. */
  steps: 40,
  /**
   * Arrows of the diagram of one flow: the pairs of a step and one of its next steps. With more, nobody could read the diagram, and
   * drawing it would take seconds.
   */
  arrows: 400,
  /** Size of a definition as JSON. Several definitions must fit into a payload of 2 MB. */
  definitionBytes: 65_536,
  /** Rules of one decide step. */
  rules: 20,
  /**
   * Issues that a check returns. After the author has fixed them, the next check returns the remaining issues. The limit also keeps a
   * check short: the check compares each unknown name with all known names, and a flow may have thousands of unknown names.
   */
  issues: 50,
  version: 999_999,
  /**
   * Versions of one flow. Deleted versions count too, because flow runs still use them. The limit is enough for a new version each
   * working day for four years.
   */
  versions: 1_000,
  /**
   * Flows of one tenant. Deleted flows count too. Together with `versions` and `definitionBytes`, this limits the storage of a
   * tenant.
   */
  flowsPerTenant: 1_000,
  /** Names of flows, steps, events, outcomes and replies. Temporal search attributes and database columns contain these names. */
  nameCharacters: 60,
  /** Titles, reasons of rules, and labels outside WhatsApp. */
  titleCharacters: 200,
  /** Characters of the text of a message, without the subject. The provider allows no more. */
  messageCharacters: 1_600,
  subjectCharacters: 150,
  /** Replies of one question. WhatsApp allows no more. */
  replies: 10,
  /** Characters of the label of a button. WhatsApp allows no more. */
  labelCharacters: 20,
  conditionCharacters: 500,
  /** Visits to one step in a flow run. */
  visits: 5,
  /**
   * The search for the longest path goes through combinations. A combination is the step at which a flow run is, together with how often
   * the flow run has already entered each step that has `visits`. A flow with more combinations has the issue `too-many-paths`.
   */
  stepVisitCombinations: 5_000,
  /**
   * Steps that a flow run may enter. The path of the flow run takes 500 bytes per visit, and is part of payloads of at most 2 MB.
   * If several `decide` steps follow each other directly, one workflow task executes them all. This task must stay short.
   */
  stepsEntered: 64,
  /** The longest duration of a flow run. */
  runSeconds: 60 * day,
  /** Messages of a flow run. Equal to limits.sendsPerTransaction. */
  sends: 10,
  waitSeconds: [1, 30 * day],
  linkSeconds: [hour, 7 * day],
  decideWithinSeconds: [minute, 30 * day],
  giveUpAfterSeconds: [1, day],
  /** Flow runs of one transaction. Ended flow runs count too, because the transaction keeps their paths. */
  runsPerTransaction: 10,
} as const;
