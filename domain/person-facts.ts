/** What the person has confirmed or denied, with the instant (ISO 8601). */
export interface PersonFacts {
  phone?: string;
  email?: string;
  /** The person denied the transaction. */
  denied?: string;
  biometrics?: { status: 'Approved' | 'Rejected' | 'Inconclusive'; at: string };
}
