// Types only: web/server renders the pages, and this file is all that it knows of the API.

/**
 * An app page is rendered by its script in the browser. This is what each script gets from the API, by the folder of the page in web/.
 * It must not contain personal data.
 */
export interface AppSettings {
  codec: {
    /** The address of the Temporal UI. */
    uiUrl: string;
  };
  flows: {
    /** Whether the page needs no sign-in, because it is on the machine of a local stack. */
    opensWithoutSignIn: boolean;
    /** Whether this stack has a simulator. */
    canSimulate: boolean;
  };
  reviews: Record<string, never>;
  /** The page of the local phones and mailboxes. dev/inbox serves it. */
  inbox: Record<string, never>;
}

export type AppFolder = keyof AppSettings;

/** What the script of every app page gets. */
export interface SharedSettings {
  folder: string;
  brand: string;
  /** The title of the page, in the language that the API chose. */
  title: string;
  /** The URL path of the logo. */
  logo: string;
}

/** The parts of a page that runs in the browser, before its script runs. URLs are paths on this host. */
export interface ShellProps {
  language: string;
  script: string;
  /** Chunks that the script imports. */
  preloads: readonly string[];
  styles: readonly string[];
  settings: SharedSettings;
}

/** What all pages for persons have. These pages have no bar, because the person has nothing else to do there. */
export interface PersonPageProps {
  language: string;
  brand: string;
  logo: string;
  styles: readonly string[];
  script?: string | undefined;
  /** Chunks that the script imports. */
  preloads?: readonly string[];
}

/** For the script of a framed page (web/frame): the origins that may show the page, and the transaction that it is about. */
export interface FrameSettings {
  origins: readonly string[];
  transactionId: string;
}

/**
 * What a page tells the site that shows it in a frame. `ready`: the person can use the page. `resize`: the height of the page in CSS
 * pixels. `succeeded`: the person confirmed, or submitted the images. `failed`: all attempts are used, or an error stopped the page.
 * `closed`: the link cannot be used any more.
 */
export type FrameEvent =
  | { type: 'ready' }
  | { type: 'resize'; height: number }
  | { type: 'succeeded' | 'failed' | 'closed'; status: string };

/** For the script of a framed page that needs no other script. */
interface FramedPageSettings {
  frame: FrameSettings;
  event?: FrameEvent;
}

/** How a confirmation ended, or why the page shows no question. */
export type HostedResult =
  | 'confirmed'
  | 'denied'
  | 'noted'
  | 'blocked'
  | 'expired'
  | 'closed'
  | 'unknown'
  | 'unavailable';

/** Why the form shows the code field again. */
export type CodeIssue = { issue: 'empty' | 'unavailable' } | { issue: 'invalid' | 'superseded'; attemptsLeft: number };

/**
 * What the hosted page of a confirmation shows. `prompt`: the question of a second factor. `token`: the question whether the person
 * requested a code. `deny`: only a button to deny. `superseded`: this button, and the advice to use the newer message. `code`: a field for
 * a code.
 */
export type HostedContent =
  | {
      kind: 'prompt';
      heading?: string;
      text: string;
      replies: readonly { value: string; label: string; isMain: boolean }[];
    }
  | { kind: 'token' | 'deny' | 'superseded' }
  | { kind: 'code'; channel: 'sms' | 'email'; issue?: CodeIssue }
  | { kind: 'result'; result: HostedResult; reply?: string };

export interface HostedPageProps extends PersonPageProps {
  content: HostedContent;
  /** The address of the button back to the site of the caller. */
  back?: string;
  settings?: FramedPageSettings;
}

/** For the script of the biometrics page. */
export interface BiometricsSettings {
  /** The path of the link, without a slash at the end. */
  base: string;
  /** Days until the images are erased, for the consent. */
  keptDays: number;
  /** Whether a face verifier compares the faces, for the consent. */
  verifiesFaces: boolean;
  /** Whether the person gets a message after the decision, for the last screen. */
  promisesMessage: boolean;
  /** Where the person goes back to. */
  returnUrl?: string;
  /** Present with `returnUrl`. */
  transactionId?: string;
  frame?: FrameSettings;
}

export interface BiometricsPageProps extends PersonPageProps {
  settings: BiometricsSettings;
}

/** Why the person cannot use a biometrics link. */
export type ClosedReason =
  | 'expired'
  | 'canceled'
  | 'ended'
  | 'erased'
  | 'used'
  | 'unknown'
  | 'taken'
  | 'cookies'
  | 'unavailable';

export interface ClosedLinkProps extends PersonPageProps {
  reason: ClosedReason;
  back?: string;
  settings?: FramedPageSettings;
}

/** The props of each page that the API renders for a request. */
export interface RenderedPages {
  shell: ShellProps;
  hosted: HostedPageProps;
  biometrics: BiometricsPageProps;
  closedLink: ClosedLinkProps;
}

/** The HTML of a page, with everything in it escaped. */
export type RenderPage = <Name extends keyof RenderedPages>(name: Name, props: RenderedPages[Name]) => string;
