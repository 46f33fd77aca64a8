const [minute, hour, day] = [60, 3_600, 86_400];

/** Hard limits of every flow. Those of confirmations are in `settingsMaxima`. Times in seconds. */
export const flowLimits = {
  /** A readable diagram, and a definition that fits many times into a 2 MB payload. */
  steps: 40,
  definitionBytes: 65_536,
  rules: 20,
  version: 999_999,
  /** Characters of the name of a flow, a step, an event, an outcome or a reply: search attributes and columns hold it. */
  nameCharacters: 60,
  /** Characters of a title and of a reason. */
  titleCharacters: 200,
  /** Characters of a message, as the provider takes them, and of its subject. */
  messageCharacters: 1_600,
  subjectCharacters: 150,
  /** Replies of a question, and characters of a label: the limits of WhatsApp buttons. */
  replies: 10,
  labelCharacters: 20,
  /** Characters of a condition. */
  conditionCharacters: 500,
  /** Entries of one step in a run. */
  visits: 5,
  /** Combinations of steps and visits that are searched for the longest path. A larger flow could not be tested. */
  stepVisitCombinations: 5_000,
  /** Steps that a run may enter. Its path has half a KB per visit and is part of 2 MB payloads; consecutive decisions are one task. */
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
