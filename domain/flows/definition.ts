import type { Channel, MessageText, ReplyOption } from '../confirmation-settings';
import type { Language } from '../language';

/** How a person is confirmed, step by step. A version never changes: what runs carries its own in its history. */
export interface FlowDefinition {
  /** Unique within a tenant, kebab-case; callers start it by this name. */
  name: string;
  /** From 1, rising. Another text of the same version is refused. */
  version: number;
  /** What it is for, in one line. */
  title?: string;
  /** The step it begins with. */
  start: string;
  /** By name: kebab-case; operators and callers see it. */
  steps: Readonly<Record<string, Step>>;
}

export type Step = ConfirmStep | BiometricsStep | DecideStep | WaitStep | NotifyStep | OutcomeStep;

/** What every step but an outcome may say of loops. */
export interface LoopLimit {
  /** How often a run may enter the step: 1 to 5. Every loop needs a step that says so. */
  visits?: number;
  /** Where a run goes that would enter it once more. Needed with `visits`, and only then. */
  exhausted?: string;
}

/** A reply that leads somewhere: its name is an exit of the step. */
export interface NamedReply extends ReplyOption {
  /** PascalCase, such as Yes. */
  name: string;
}

/** Asks the person on one channel and waits for what they say. Exits: see `exitsOf`. */
export interface ConfirmStep extends LoopLimit {
  kind: 'confirm';
  channel: Channel;
  /** `token`: a code to give back, by SMS or e-mail. `reply`: an answer to a question. */
  ask: 'token' | 'reply';
  /** Name of a text of flows/templates; or `message`, with `options` for a question. */
  template?: string;
  message?: Record<Language, MessageText>;
  options?: readonly NamedReply[];
  /** From the first message to the exit Expired; from the newest where each brings a new code. */
  expiresAfterSeconds: number;
  /** Messages in all, the first included. */
  sendLimit: number;
  /** Pause between two messages. */
  resendAfterSeconds: number;
  /** Tokens only: values that are tried before the exit Blocked. */
  attemptLimit?: number;
  /** Tokens only. */
  codeDigits?: number;
  /** Tokens only: a further message repeats the code, or brings a new one. */
  resend?: 'reuse' | 'rotate';
  /** Where a run goes, by result. */
  exits: Readonly<Record<string, string>>;
}

/** Makes a link to the page on which the person takes pictures, and waits for the decision. Exits: see `exitsOf`. */
export interface BiometricsStep extends LoopLimit {
  kind: 'biometrics';
  /** Channels on which the service sends the link; none: the caller gives it to the person. */
  channels: readonly Channel[];
  /** How long the link is open. */
  linkSeconds: number;
  /** How long pictures that were handed in wait for a decision, before the exit Undecided. */
  decideWithinSeconds: number;
  exits: Readonly<Record<string, string>>;
}

/** Goes where the first condition that is true leads. */
export interface DecideStep extends LoopLimit {
  kind: 'decide';
  /** In this order. */
  rules: readonly DecideRule[];
  else: string;
}

export interface DecideRule {
  /** A CEL expression of the facts of `decisionFacts`, which is true or false. */
  when: string;
  then: string;
  /** What operators and callers read as the reason; the condition itself when absent. */
  because?: string;
}

/** Lets time pass. */
export interface WaitStep extends LoopLimit {
  kind: 'wait';
  seconds: number;
  then: string;
}

/** Tells the caller's webhook. Exits: Delivered, Failed. */
export interface NotifyStep extends LoopLimit {
  kind: 'notify';
  /** The event's type: words with dots between, such as step-up.started. */
  event: string;
  /** How long it is tried before the exit Failed. */
  giveUpAfterSeconds: number;
  exits: Readonly<Record<string, string>>;
}

/** The end of a run. */
export interface OutcomeStep {
  kind: 'outcome';
  /** PascalCase, such as Confirmed: what callers act on and operators search by. */
  outcome: string;
}

const tokenExits = ['Valid', 'Expired', 'Blocked', 'Failed'] as const;
/** The exits of every question, beside its replies. */
export const replyExits: readonly string[] = ['Expired', 'Failed'];
const biometricsExits = [
  'Approved',
  'Rejected',
  'Inconclusive',
  'Expired',
  'Abandoned',
  'Canceled',
  'Undecided',
] as const;
const notifyExits = ['Delivered', 'Failed'] as const;

/**
 * The exits that a step must have, each leading to a step. `Failed`: no message reached the person, or none could be sent.
 * A question has one exit more for each of its replies; `replies` are those of its template when it brings none.
 */
export function exitsOf(step: Step, replies: readonly Pick<NamedReply, 'name'>[] = []): readonly string[] {
  if (step.kind === 'confirm')
    return step.ask === 'token' ? tokenExits : [...(step.options ?? replies).map(({ name }) => name), ...replyExits];
  if (step.kind === 'biometrics') return biometricsExits;
  return step.kind === 'notify' ? notifyExits : [];
}

/** Every step that a step can lead to, with the path into the step that says so. Steps that do not exist included. */
export function leadsTo(step: Step): readonly { path: string; to: string }[] {
  if (step.kind === 'outcome') return [];
  const exhausted = step.exhausted === undefined ? [] : [{ path: 'exhausted', to: step.exhausted }];
  if (step.kind === 'wait') return [{ path: 'then', to: step.then }, ...exhausted];
  if (step.kind === 'decide')
    return [
      ...step.rules.map(({ then }, index) => ({ path: `rules.${index}.then`, to: then })),
      { path: 'else', to: step.else },
      ...exhausted,
    ];
  return [...Object.entries(step.exits).map(([exit, to]) => ({ path: `exits.${exit}`, to })), ...exhausted];
}
