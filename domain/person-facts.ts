/** What the person did, by the instant (ISO 8601) at which it became known. */
export interface PersonFacts {
  phone?: string;
  email?: string;
  /** The person said that it was not them. */
  denied?: string;
  biometrics?: { status: 'Approved' | 'Rejected' | 'Inconclusive'; at: string };
}
