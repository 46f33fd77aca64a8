/** CEL types of facts. The value of a missing key of a map is '' or 0, so that a missing key makes no condition fail. */
export type FactType =
  | 'bool'
  | 'int'
  | 'double'
  | 'string'
  | 'list<string>'
  | 'map<string,string>'
  | 'map<string,int>'
  | 'map<string,double>';

/** The facts that conditions may use, by name. A fact with `fields` is an object. */
export type FactTypes = Readonly<
  Record<string, { type: FactType } | { fields: Readonly<Record<string, { type: FactType }>> }>
>;

/** What is wrong with a condition. */
export interface ConditionIssue {
  /** One sentence. */
  message: string;
  /** How to fix it. */
  fix: string;
}
