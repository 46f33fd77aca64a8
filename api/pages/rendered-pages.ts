import type { Channel } from '../../domain/confirmations/settings';

// This file has only types. web/server renders the pages, and knows nothing else of the API.

/**
 * What the script of each app page gets from the API, by the folder of the page in web/. The script renders the page in the browser. The
 * settings must not contain personal data.
 */
export interface AppSettings {
  brand: Record<string, never>;
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

/** The parts of an app page that exist before its script runs. URLs are paths on this host. */
export interface ShellProps {
  language: string;
  script: string;
  /** Chunks that the script imports. */
  preloads: readonly string[];
  styles: readonly string[];
  settings: SharedSettings;
}

/** What a page for a person shows of a brand. */
export interface PersonBrandProps {
  /** The name. */
  brand: string;
  /** The URL path of the logo. */
  logo: string;
  /** In CSS pixels. Absent for the logo of the service. */
  logoSize?: { width: number; height: number };
  /** CSS with the colors. The content security policy allows it by its hash. */
  style?: string;
  /** Where the person gets help. */
  supportUrl?: string;
}

/** What all pages for persons have. These pages have no bar, because the person has nothing else to do there. */
export interface PersonPageProps extends PersonBrandProps {
  language: string;
  styles: readonly string[];
  script?: string | undefined;
  /** Chunks that the script imports. */
  preloads?: readonly string[];
}

/** For the script of a page in a frame (web/frame): the origins that may show the page, and the transaction to which the page belongs. */
export interface FrameSettings {
  origins: readonly string[];
  transactionId: string;
}

/**
 * What a page tells the site that shows it in a frame. `ready`: the person can use the page. `resize`: the page has a new height, in CSS
 * pixels. `succeeded`: the person confirmed, or submitted the images. `failed`: all attempts are used, or an error stopped the page.
 * `closed`: the link cannot be used any more.
 */
export type FrameEvent =
  | { type: 'ready' }
  | { type: 'resize'; height: number }
  | { type: 'succeeded' | 'failed' | 'closed'; status: string };

/**
 * The settings of the script web/frame, on a page that has no other script. `event`: what the page tells the site of the caller as soon as
 * the page is loaded.
 */
interface FramedPageSettings {
  frame: FrameSettings;
  event?: FrameEvent;
}

/**
 * The result that the page of a confirmation shows: how the confirmation ended, or why the page shows no question. `noted`: the person
 * replied, but not with yes. `blocked`: all attempts are used. `closed`: the person cannot answer any more, for another reason. `unknown`:
 * there is no such confirmation. `unavailable`: the service cannot answer now.
 */
export type HostedResult =
  | 'confirmed'
  | 'denied'
  | 'noted'
  | 'blocked'
  | 'expired'
  | 'closed'
  | 'unknown'
  | 'unavailable';

/**
 * Why the page shows the field for the code again. `noCode`: the text is empty, or cannot be a code, so it used no attempt. `superseded`:
 * the code is from an older message.
 */
export type CodeIssue = { issue: 'noCode' | 'unavailable' } | { issue: 'invalid' | 'superseded'; attemptsLeft: number };

/**
 * The button for another message. `isNewCode`: the message has a new code, because the last one is not valid any more. `seconds`: how long
 * the person must wait. `press`: the button sends this id, so that a double press counts once.
 */
export interface MessageButton {
  isNewCode: boolean;
  seconds: number;
  press: string;
}

/** What the last press of that button did. `limit`, `refused` and `notSent`: nothing was sent, and the person can do nothing about it here. */
export type MessageResult = 'sent' | 'tooSoon' | 'limit' | 'refused' | 'notSent';

interface AnotherMessage {
  button?: MessageButton;
  sent?: MessageResult;
}

/**
 * What the hosted page of a confirmation shows. `prompt`: the question of a second factor. `token`: the question whether the person
 * requested a code. `deny`: only a button to deny. `superseded`: a button to deny, and the advice to use the newer message. `code`: a
 * field for a code. `result`: the end, or why there is no question.
 */
export type HostedContent =
  | {
      kind: 'prompt';
      heading?: string;
      text: string;
      replies: readonly { value: string; label: string; isMain: boolean }[];
    }
  | { kind: 'token' | 'deny' | 'superseded' }
  /** `destination`: the masked phone or mailbox that got the code. `values`: what the person confirms with the code. */
  | ({
      kind: 'code';
      channel: Channel;
      destination: string;
      minutesLeft: number;
      values?: readonly { label: string; text: string }[];
      issue?: CodeIssue;
    } & AnotherMessage)
  | ({ kind: 'result'; result: HostedResult; reply?: string } & AnotherMessage);

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
  /** How many days the images are kept. The text of the consent shows this. */
  keptDays: number;
  /** Whether a face verifier compares the faces. The text of the consent says this. */
  verifiesFaces: boolean;
  /** Whether the person gets a message after the decision. The last screen says this. */
  announcesMessage: boolean;
  /** The URL to which the person returns at the end. */
  returnUrl?: string;
  /** Present only with `returnUrl`. The page adds this id to the URL. */
  transactionId?: string;
  frame?: FrameSettings;
}

export interface BiometricsPageProps extends PersonPageProps {
  settings: BiometricsSettings;
}

/**
 * Why the person cannot use a biometrics link. `canceled`: a newer link replaced this link. `ended`: the flow run of the link was canceled.
 * `erased`: the images were erased. `taken`: another browser owns the link. `used`: the images were submitted in another browser.
 * `cookies`: the browser keeps no cookies. `unknown`: there is no such link. `unavailable`: the service cannot answer now.
 */
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

/** The page for an unknown path. */
export interface NotFoundProps {
  language: string;
  brand: string;
  logo: string;
  styles: readonly string[];
  traceId: string;
  /** The path of the page that the address probably means, such as `/flows`. */
  page?: string;
  /** The operation of the API that the address probably means, such as `GET /v1/flows`. */
  operation?: string;
}

/** The props of each page that the API renders for a request. */
export interface RenderedPages {
  shell: ShellProps;
  hosted: HostedPageProps;
  biometrics: BiometricsPageProps;
  closedLink: ClosedLinkProps;
  notFound: NotFoundProps;
}

/** Renders the HTML of a page. Every text in the HTML is escaped. */
export type RenderPage = <Name extends keyof RenderedPages>(name: Name, props: RenderedPages[Name]) => string;
