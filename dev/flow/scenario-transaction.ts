/** Who is asked. What is left out is what most people have, a phone and a mailbox, and what the analyses make of them. */
export interface ScenarioTransaction {
  /** Of Brazil, in E.164; null: the transaction has no phone. */
  phone?: string | null;
  /** null: the transaction has no e-mail address. */
  email?: string | null;
  /** 0 to 100, in place of what the analyses would find. */
  score?: number;
  /** Codes, in place of what the analyses would find. */
  insights?: readonly string[];
  /** By pair, such as document-phone: 0 to 5. */
  ratings?: Readonly<Record<string, number>>;
  /** Language of the messages that the person gets. */
  locale?: string;
  /** Further fields of the body of POST /v1/transaction. */
  body?: Readonly<Record<string, unknown>>;
}
