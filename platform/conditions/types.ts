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

/** The largest size of a list, map or text: its items or entries, and the characters of each text and key in it. */
export interface FactSize {
  items: number;
  characters: number;
}

interface DeclaredFact {
  type: FactType;
  /** By default, the size of one text of a transaction. Required for lists and maps. */
  size?: FactSize;
}

/** The facts that conditions may use, by name. A fact with `fields` is an object. */
export type FactTypes = Readonly<Record<string, DeclaredFact | { fields: Readonly<Record<string, DeclaredFact>> }>>;

/** What is wrong with a condition. */
export interface ConditionIssue {
  /** One sentence. */
  message: string;
  /** How to fix it. */
  fix: string;
}
