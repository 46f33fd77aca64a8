/** The client that requested a hosted page, and where the person goes afterwards. */
export interface PageRequester {
  clientId: string;
  /** The return URL, as the URL parser writes it. It was allowed when the page was requested. */
  returnUrl?: string;
}
