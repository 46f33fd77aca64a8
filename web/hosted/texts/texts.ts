import type { HostedContent, HostedResult, MessageResult } from '../../api-types';
import type { Passage } from '../../person/passage';

type CodeChannel = Extract<HostedContent, { kind: 'code' }>['channel'];

/** The texts of the hosted page of a confirmation. */
export interface HostedTexts {
  title: string;
  /** The question of an e-mail token. A second factor has its own question. */
  question: (brand: string) => string;
  hint: string;
  yes: string;
  no: string;
  /** The page of a link with the purpose `deny`, for a person who did not request the code. */
  deny: { question: (brand: string) => string; hint: string };
  /** The page of a link in an earlier message. */
  superseded: Passage;
  /** The page on which the person enters a code. */
  code: {
    heading: string;
    /** Where the person finds the code, by channel. `to`: the masked phone or mailbox. */
    lead: Record<CodeChannel, (brand: string, to: string) => string>;
    validFor: (minutes: number) => string;
    label: string;
    submit: string;
    /** A word before the title of the browser tab, while the form shows an error. */
    errorTitle: string;
    invalid: (attemptsLeft: number) => string;
    /** The person entered the code of an earlier message. */
    superseded: (attemptsLeft: number) => string;
    noCode: string;
  };
  /** The button for another message, and what its press did. */
  another: {
    again: string;
    newCode: string;
    /** When the button can be pressed, in brackets after its label. */
    in: (seconds: number) => string;
    tooSoon: (seconds: number) => string;
  } & Record<Exclude<MessageResult, 'tooSoon'>, string>;
  /** How a confirmation ended, or why the page shows no question. `noted`: the person chose a reply other than yes. */
  results: Record<Exclude<HostedResult, 'noted'>, Passage> & {
    noted: { heading: string; text: (reply: string) => string };
  };
  /** The button to the site of the caller. */
  back: (host: string) => string;
}
