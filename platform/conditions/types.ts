/** CEL types of facts. A missing key of a map reads as '' or 0, so that no condition fails because of it. */
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
