/** What the person has confirmed or denied, and when (ISO 8601). */
export interface PersonFacts {
  phoneConfirmedAt?: string;
  emailConfirmedAt?: string;
  /** The person denied the transaction. */
  deniedAt?: string;
  /** The newest decision on images of the person. */
  biometrics?: { status: 'Approved' | 'Rejected' | 'Inconclusive'; at: string };
}
