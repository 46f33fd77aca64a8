/** What the person has confirmed or denied, with the instant (ISO 8601). */
export interface PersonFacts {
  phoneConfirmedAt?: string;
  emailConfirmedAt?: string;
  /** The person denied the transaction. */
  deniedAt?: string;
  biometrics?: { status: 'Approved' | 'Rejected' | 'Inconclusive'; at: string };
}
