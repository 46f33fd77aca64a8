/** What is wrong with a condition. */
export interface ConditionFault {
  /** In one sentence. */
  message: string;
  /** What to do about it. */
  mend: string;
}
