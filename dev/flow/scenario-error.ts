/** As many as a person reads before mending what they tell of. */
const most = 50;

/** One thing that keeps a file of scenarios from being read. */
export interface Refusal {
  /** From 1; 0 for what stands in no file. */
  line: number;
  /** With its file and line. */
  words: string;
  /** What may stand there, where that is long: it is told once, below all refusals. */
  allowed?: string;
}

/** Scenarios that cannot be read. The message has a line for each refusal, by its place in the file, and what may stand there. */
export class ScenarioError extends Error {
  override name = 'ScenarioError';

  constructor(readonly refusals: readonly Refusal[]) {
    const inOrder = refusals.toSorted((one, other) => one.line - other.line);
    const allowed = inOrder.flatMap((refusal) => (refusal.allowed === undefined ? [] : [refusal.allowed]));
    const words = [...new Set(inOrder.map((refusal) => refusal.words))];
    const rest = words.length > most ? [`… and ${words.length - most} more`] : [];
    super([...words.slice(0, most), ...rest, ...new Set(allowed)].join('\n'));
  }
}
