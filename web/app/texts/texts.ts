/** The texts of a view that has no data: the heading says what happened, and the text says what to do. */
export interface Passage {
  heading: string;
  text: string;
}

/** The texts that all app pages share. The English texts in en.ts show what each field is for. */
export interface AppTexts {
  skip: string;
  loading: string;
  noScript: string;
  language: string;
  signedInWith: string;
  signOut: string;
  tryAgain: string;
  close: string;
  traceId: (id: string) => string;
  failures: {
    unreachable: Passage;
    unexpected: Passage;
    /** The heading for a problem without a title. */
    rejected: string;
    noAccess: string;
    otherClient: string;
  };
  retries: {
    busy: string;
    disconnected: string;
    again: (seconds: number) => string;
  };
  signIn: {
    tab: string;
    clientId: string;
    clientSecret: string;
    submit: string;
    useToken: string;
    accessToken: string;
    submitToken: string;
    tokenName: string;
    /** How long the sign-in lasts, if the page does not say something else. */
    end: string;
    wrong: string;
    failed: string;
    unreachable: string;
    expired: string;
    rejected: string;
  };
  lessThanAMinute: string;
  age: (years: number) => string;
}
