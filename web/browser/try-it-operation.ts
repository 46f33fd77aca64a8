/** What the form of an operation needs. The page has this data as JSON in an attribute. */
export interface TryItOperation {
  id: string;
  method: string;
  /** The URL path, with its parameters in braces, such as `/v1/transaction/{id}`. */
  path: string;
  needsToken: boolean;
  parameters: readonly { name: string; in: 'path' | 'query' | 'header'; required: boolean }[];
  /** The content type of the body, and an example of the body. */
  body?: { type: string; example: string };
}
