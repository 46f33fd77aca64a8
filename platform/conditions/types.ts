/** Types of CEL that a fact may have. A key that is not in a map reads as '' or 0, so that no condition fails for it. */
export type FactType =
  | 'bool'
  | 'int'
  | 'double'
  | 'string'
  | 'list<string>'
  | 'map<string,string>'
  | 'map<string,int>'
  | 'map<string,double>';

/** The names that conditions may use. One with `fields` is an object of them. */
export type FactTypes = Readonly<
  Record<string, { type: FactType } | { fields: Readonly<Record<string, { type: FactType }>> }>
>;

/** What is wrong with a condition. */
export interface ConditionIssue {
  /** In one sentence. */
  message: string;
  /** What to do about it. */
  fix: string;
}
