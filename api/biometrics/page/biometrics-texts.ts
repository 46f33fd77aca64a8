import type { CaptureKind } from '../../../domain/biometrics/biometrics';

/** A heading and what stands below it. */
export interface Passage {
  heading: string;
  text: string;
}

/** Why a link leads to no steps. */
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

/** What the page and the API can find wrong with a picture. */
type ImageIssue = 'unreadable' | 'too_large' | 'not_an_image' | 'too_small' | 'too_dark' | 'too_bright' | 'blurred';

/** Why there is no camera. */
type CameraIssue = 'absent' | 'refused' | 'busy' | 'failed';

interface CaptureTexts {
  heading: string;
  lead: string;
  tips: string[];
  /** Beside the frame, while the camera is on. */
  aim: string;
  /** Describes the shot to who cannot see it. */
  shot: string;
}

/** What the page says. {{brand}} and {{days}} are filled in everywhere; other placeholders where they stand. */
export interface BiometricsTexts {
  title: string;
  loading: string;
  noScript: string;
  /** {{step}}, {{steps}} */
  progress: string;
  consent: {
    heading: string;
    lead: string;
    points: { what: Passage; why: Passage; kept: Passage; seen: Passage };
    /** In place of `seen` where a face verifier is asked. */
    seenByVerifier: Passage;
    agree: string;
    button: string;
    missing: string;
    otherwise: string;
  };
  where: {
    noCamera: Passage;
    inApp: Passage;
    scan: string;
    qr: string;
    files: string;
    here: string;
    copy: string;
    copied: string;
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
    faults: Record<CameraIssue, string>;
  };
  review: { heading: string; ask: string; use: string; again: string; doubt: string; anyway: string };
  faults: Record<ImageIssue, string>;
  /** {{percent}} */
  sending: { heading: string; text: string; percent: string; finishing: string; kept: string };
  /** {{seconds}} */
  waiting: { offline: string; busy: string; back: string };
  done: Passage;
  /** In place of `done` where the person gets a message after the decision. */
  doneWithMessage: Passage;
  decided: Passage;
  trouble: Passage & { button: string };
  closed: Record<ClosedReason, Passage>;
}
