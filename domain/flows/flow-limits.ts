const [minute, hour, day] = [60, 3_600, 86_400];

/** Hard maxima of the service, whatever a flow says. Those of confirmations are `settingsMaxima`. Times in seconds. */
export const flowLimits = {
  /** A diagram that a person still reads, and a definition that fits many times into the 2 MB of a payload. */
  steps: 40,
  definitionBytes: 65_536,
  rules: 20,
  version: 999_999,
  /** Characters of the name of a flow, a step, an event, an outcome or a reply: search attributes and columns hold it. */
  name: 60,
  /** Characters of a title and of a reason. */
  line: 200,
  /** Characters of a message, as the provider takes them, and of its subject. */
  message: 1_600,
  subject: 150,
  /** Replies of a question, and characters of a label: what buttons of WhatsApp hold. */
  replies: 10,
  label: 20,
  /** Characters of a condition. */
  condition: 500,
  /** Entries of one step in a run. */
  visits: 5,
  /** Places of steps and visits that are looked at to find the longest way: a flow beyond it is nothing a team can test. */
  places: 5_000,
  /** Steps that a run may enter in all: its path, of half a KB a visit, travels in payloads of 2 MB, and decisions in a row are one task. */
  stepsEntered: 64,
  /** The longest that a run may take in all. */
  runSeconds: 60 * day,
  /** Messages of a run: those that one transaction may send (limits.sendsPerTransaction). */
  sends: 10,
  waitSeconds: [1, 30 * day],
  linkSeconds: [hour, 7 * day],
  decideWithinSeconds: [minute, 30 * day],
  giveUpAfterSeconds: [1, day],
  /** Runs of one transaction, ended ones included: each keeps its path. */
  runsPerTransaction: 10,
} as const;
