import type { SignInTexts } from '../../app/sign-in';
import type { CaptureKind, DecisionStatus, FindingCode } from '../review-types';

interface DecisionTexts {
  /** The text of the choice. */
  choice: string;
  /** The text of the button that sends the decision, after the reviewer has made this choice. */
  press: string;
  /** What the page says after this decision was saved. */
  done: string;
  /** Suggested reasons. */
  reasons: readonly string[];
}

/** The texts of the page /reviews. The English texts in en.ts show what each field is for. */
export interface ReviewTexts {
  signIn: SignInTexts;
  scopeHint: string;
  /** The title of the browser tab of the list, and of one review. */
  tabs: { list: string; review: string };
  list: {
    heading: string;
    /** `count` may end with a plus sign. */
    count: (count: string, isOne: boolean) => string;
    order: string;
    none: string;
    noneHint: string;
    refresh: string;
    more: string;
    moreLoaded: (count: number) => string;
    waitingFor: (time: string) => string;
    submitted: string;
    /** The name of the field `identifierDate`, a time that the caller has chosen. */
    identifierDate: string;
  };
  review: {
    heading: string;
    waitingSince: (time: string) => string;
    all: string;
    /** `count`: the number of waiting reviews. It may end with a plus sign. */
    allWithCount: (count: string) => string;
    decided: (status: string) => string;
    gone: string;
    taken: string;
    /** Follows the text about the decision that was saved. */
    next: string;
    noFindings: string;
  };
  captures: Record<CaptureKind, { name: string; short: string }>;
  findings: Record<FindingCode, string>;
  goodMeasures: { sharp: string; light: string; size: string };
  image: {
    turn: string;
    turnOf: (name: string) => string;
    turned: (name: string, degrees: number) => string;
    enlargeOf: (name: string) => string;
    loading: string;
    broken: string;
    erased: string;
    taken: string;
    enlarged: string;
    choose: string;
    zoomIn: string;
    zoomOut: string;
    moves: (name: string) => string;
  };
  facts: {
    person: string;
    name: string;
    born: string;
    notGiven: string;
    givenForLink: string;
    faces: string;
    notCompared: string;
    similarity: string;
    liveness: string;
    selfieFaces: string;
    documentFaces: string;
    notes: string;
    scores: string;
    noScore: string;
    timeline: string;
    created: string;
    opened: string;
    consented: string;
    submitted: string;
  };
  decision: {
    heading: string;
    legend: string;
    reason: string;
    suggestions: string;
    decide: string;
    sending: string;
    recordedWith: string;
    isFinal: string;
    length: (length: number, limit: number) => string;
    choices: Record<DecisionStatus, DecisionTexts>;
    issues: {
      status: string;
      reason: string;
      short: (least: number) => string;
      long: (length: number, limit: number) => string;
      unreachable: string;
      signedOut: string;
      invalid: (issues: string) => string;
      notSaved: string;
    };
  };
}
