import type { ClosedReason } from '../../api-types';
import type { Passage } from '../../person/passage';
import type { CaptureKind } from '../captures';

export type { ClosedReason, Passage };

/** Why the camera cannot be used. */
export type CameraIssue = 'absent' | 'denied' | 'busy' | 'failed';

/** Why the page or the API rejects a picture. */
export type ImageIssue =
  | 'unreadable'
  | 'too_large'
  | 'not_an_image'
  | 'too_small'
  | 'too_dark'
  | 'too_bright'
  | 'blurred';

interface CaptureTexts {
  heading: string;
  lead: string;
  tips: string[];
  /** The instruction that is shown while the camera is on. */
  aim: string;
  /** The alternative text of the picture. */
  shot: string;
}

/** The texts of the page. Every text can have {{brand}} and {{days}}. A comment lists the other placeholders of a text. */
export interface BiometricsTexts {
  title: string;
  loading: string;
  noScript: string;
  /** Also has {{step}} and {{steps}}. */
  progress: string;
  consent: {
    heading: string;
    lead: string;
    points: { what: Passage; why: Passage; kept: Passage; seen: Passage };
    /** Replaces `seen` if a face verifier compares the faces. */
    seenByVerifier: Passage;
    agree: string;
    button: string;
    missing: string;
    /** What to do without consent. */
    otherwise: string;
  };
  /** For a browser in which the camera probably does not work: how to continue on another device, in another browser, or here anyway. */
  where: {
    noCamera: Passage;
    inApp: Passage;
    scan: string;
    qr: string;
    files: string;
    here: string;
    copy: string;
    copied: string;
    /** Shown after another device has opened the link. */
    moved: Passage;
  };
  captures: Record<CaptureKind, CaptureTexts>;
  camera: {
    open: string;
    starting: string;
    shutter: string;
    broken: string;
    again: string;
    file: string;
    issues: Record<CameraIssue, string>;
  };
  /** If the picture has an issue, `doubt` is the heading, and `anyway` replaces `use`. */
  review: { heading: string; ask: string; use: string; again: string; doubt: string; anyway: string };
  issues: Record<ImageIssue, string>;
  /** `percent` has {{percent}}. */
  sending: { heading: string; text: string; percent: string; finishing: string; kept: string };
  /** `busy` has {{seconds}}. */
  waiting: { offline: string; busy: string; back: string };
  done: Passage;
  /** Replaces `done` if the person gets a message after the decision. */
  doneWithMessage: Passage;
  decided: Passage;
  trouble: Passage & { button: string };
  /** `link` has {{host}}. `soon` has {{host}} and {{seconds}}. */
  back: { link: string; soon: string; stay: string };
  /** The link that opens the page in a new tab, if the browser blocks cookies in a frame. */
  outside: string;
  closed: Record<ClosedReason, Passage>;
}
