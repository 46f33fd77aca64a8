/** What is wrong with a condition. */
export interface ConditionIssue {
  /** In one sentence. */
  message: string;
  /** What to do about it. */
  fix: string;
}
