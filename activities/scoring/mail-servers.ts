/** Tells whether a mail domain has a server that takes mail. */
export interface MailServers {
  /** `unknown` when DNS could not be asked in time. Never fails. */
  of(domain: string): Promise<'found' | 'none' | 'unknown'>;
}
