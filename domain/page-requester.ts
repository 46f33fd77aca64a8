/** The client that requested a hosted page, and where its person goes afterwards. */
export interface PageRequester {
  clientId: string;
  /** In the form of the URL parser; it was allowed when the page was requested. */
  returnUrl?: string;
}
