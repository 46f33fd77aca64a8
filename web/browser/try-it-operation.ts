/** What the form of an operation needs. The page has this data as JSON in an attribute. */
export interface TryItOperation {
  id: string;
  method: string;
  /** With parameters in braces. */
  path: string;
  needsToken: boolean;
  parameters: readonly { name: string; in: 'path' | 'query' | 'header'; required: boolean }[];
  body?: { type: string; example: string };
}
