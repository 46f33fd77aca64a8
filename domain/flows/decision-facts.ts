import type { TransactionState } from '../state';

export interface DecisionFacts {
  score: number;
  answers: Readonly<Record<string, string>>;
  visits: Readonly<Record<string, number>>;
}

export function factsOf(
  state: TransactionState,
  answers: Readonly<Record<string, string>>,
  visits: Readonly<Record<string, number>>,
  _now: string,
): DecisionFacts {
  return { score: state.scores.at(-1)?.value ?? 0, answers, visits };
}
