/** One thing that is wrong with a flow. */
export interface FlowFault {
  /** The kind of mistake, kebab-case. */
  code: string;
  /** Where it is in the definition, such as steps.code.exits.Valid; empty for the whole. */
  path: string;
  /** What is wrong. */
  message: string;
  /** What to do about it. */
  mend: string;
}
