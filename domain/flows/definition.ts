import type { Channel, MessageText, ReplyOption, TextChannel } from '../confirmations/settings';
import type { Language } from '../transactions/input';
import type { FlowValues } from './flow-values';

/** One version of a flow: the steps that confirm a person. A version never changes, and each flow run has a copy of its version. */
export interface FlowDefinition {
  /** Unique within a tenant, in kebab-case. Callers start the flow by this name. */
  name: string;
  /** The first version is 1, and each later version has a higher number. A different definition with the same version is rejected. */
  version: number;
  /** The purpose of the flow, in one line. */
  title?: string;
  /** The values that a caller gives when it starts the flow, by name. */
  values?: FlowValues;
  /** The name of the first step. */
  start: string;
  /** The steps by name. Names are kebab-case. Operators and callers see them. */
  steps: Readonly<Record<string, Step>>;
}

export type Step = ConfirmStep | BiometricsStep | DecideStep | WaitStep | NotifyStep | OutcomeStep;

/** Limits a loop of steps. Every kind of step except an outcome can have this limit. */
export interface LoopLimit {
  /** How often a flow run may enter the step, 1 to 5. Every loop needs one step with this limit. */
  visits?: number;
  /** The next step when no visits are left. Required with `visits`. */
  exhausted?: string;
}

/** A reply whose name is an exit of the step. */
export interface NamedReply extends ReplyOption {
  /** PascalCase, such as Yes. */
  name: string;
}

/** Asks the person on one channel and waits for the reply. Exits: see `exitsOf`. */
export interface ConfirmStep extends LoopLimit {
  kind: 'confirm';
  channel: Channel;
  /** `token`: a code. `reply`: a reply to a question. */
  ask: 'token' | 'reply';
  /** Name of a template of flows/templates. Without a template, `message` is required, and a question also needs `options`. */
  template?: string;
  message?: Record<Language, MessageText>;
  options?: readonly NamedReply[];
  /** The time from the first message to the exit Expired. A message with a new code starts this time again. */
  expiresAfterSeconds: number;
  /** Maximum number of messages, including the first. */
  sendLimit: number;
  /**
   * The minimum pause between two codes, or between two questions, on this channel. The previous code or question may be from another step.
   */
  resendAfterSeconds: number;
  /**
   * The time within which the provider must report that a message arrived, from when the message was requested. Without such a report, the
   * step has the exit Undelivered. Not for e-mail, because no provider reports on it.
   */
  deliverWithinSeconds?: number;
  /** Tokens only: attempts before the exit Blocked. */
  attemptLimit?: number;
  /** Tokens only. */
  codeDigits?: number;
  /** Tokens only. `reuse`: each further message has the same code. `rotate`: each further message has a new code. */
  resend?: 'reuse' | 'rotate';
  /** The next step by exit. */
  exits: Readonly<Record<string, string>>;
}

/** Creates a link to the page where the person takes images, and waits for the decision. Exits: see `exitsOf`. */
export interface BiometricsStep extends LoopLimit {
  kind: 'biometrics';
  /** Channels on which the service sends the link. If empty, the caller gives the link to the person. */
  channels: readonly TextChannel[];
  /** Lifetime of the link. */
  linkSeconds: number;
  /** Time for the decision after the images are submitted. Without a decision in this time, the step has the exit Undecided. */
  decideWithinSeconds: number;
  exits: Readonly<Record<string, string>>;
}

/** Continues with the first rule whose condition is true, or with `else`. */
export interface DecideStep extends LoopLimit {
  kind: 'decide';
  /** The rules are tried in this order. */
  rules: readonly DecideRule[];
  else: string;
  /**
   * The next step if a condition cannot be evaluated. Without it, the flow run ends with the outcome NotDecided. It never takes `else` then,
   * because `else` may be the lenient way.
   */
  failed?: string;
}

/** One rule of a decide step. `then`: the next step if the condition is true. */
export interface DecideRule {
  /** The condition: an expression in the language CEL that uses `decisionFacts` and gives true or false. */
  when: string;
  then: string;
  /** The reason that operators and callers see. Without it, they see the condition. */
  because?: string;
}

/** Waits for a fixed time. */
export interface WaitStep extends LoopLimit {
  kind: 'wait';
  seconds: number;
  then: string;
}

/** Sends an event to the caller's webhook. Exits: Delivered, Failed. */
export interface NotifyStep extends LoopLimit {
  kind: 'notify';
  /** The name of the event: words separated by dots or hyphens, such as step-up.started. */
  event: string;
  /** How long the service tries to deliver the event. If no try succeeds, the step has the exit Failed. */
  giveUpAfterSeconds: number;
  exits: Readonly<Record<string, string>>;
}

/** The end of a flow run. */
export interface OutcomeStep {
  kind: 'outcome';
  /** PascalCase, such as Confirmed. Callers act on this name, and operators search for it. */
  outcome: string;
}

const tokenExits = ['Valid', 'Expired', 'Blocked', 'Failed'] as const;
/** The exits of every question, besides its replies. */
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

/** The exit of a confirm step with `deliverWithinSeconds`, after no message arrived in this time. */
export const undeliveredExit = 'Undelivered';

/**
 * The exits that a step must have. Each exit leads to a step. `Failed` of a confirm step: no message reached the person, or none could be
 * sent. A question also has one exit for each reply. `replies`: the replies of the template of the step. They count only if the step has no
 * `options`.
 */
export function exitsOf(step: Step, replies: readonly Pick<NamedReply, 'name'>[] = []): readonly string[] {
  if (step.kind === 'confirm')
    return [
      ...(step.ask === 'token' ? tokenExits : [...(step.options ?? replies).map(({ name }) => name), ...replyExits]),
      ...(step.deliverWithinSeconds === undefined ? [] : [undeliveredExit]),
    ];
  if (step.kind === 'biometrics') return biometricsExits;
  return step.kind === 'notify' ? notifyExits : [];
}

/** The name of every next step (`to`), with its path in the definition. Includes names of steps that do not exist. */
export function targetsOf(step: Step): readonly { path: string; to: string }[] {
  if (step.kind === 'outcome') return [];
  const exhausted = step.exhausted === undefined ? [] : [{ path: 'exhausted', to: step.exhausted }];
  if (step.kind === 'wait') return [{ path: 'then', to: step.then }, ...exhausted];
  if (step.kind === 'decide')
    return [
      ...step.rules.map(({ then }, index) => ({ path: `rules.${index}.then`, to: then })),
      { path: 'else', to: step.else },
      ...(step.failed === undefined ? [] : [{ path: 'failed', to: step.failed }]),
      ...exhausted,
    ];
  return [...Object.entries(step.exits).map(([exit, to]) => ({ path: `exits.${exit}`, to })), ...exhausted];
}

/** A reviewed text of a code or question. Flows use it by its name. Placeholders: see `MessageText`. */
export interface Template {
  /** Unique among all templates, in kebab-case. */
  name: string;
  /** The channels that may use the template. Subjects are for e-mail only. */
  channels: readonly Channel[];
  ask: 'token' | 'reply';
  message: Record<Language, MessageText>;
  /** Questions only. */
  options?: readonly NamedReply[];
}

export type Templates = ReadonlyMap<string, Template>;

/** Patterns of names. Names appear in paths, search attributes, diagrams and responses. */
export const namePatterns = {
  /** Names of flows and steps, such as sign-up. */
  kebab: /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/,
  /** Names of replies and outcomes, such as NotMe. */
  pascal: /^[A-Z][A-Za-z0-9]*$/,
  /** Names of events, such as step-up.started. */
  event: /^[a-z][a-z0-9]*(?:[.-][a-z0-9]+)*$/,
} as const;

/** An invalid flow. */
export class FlowError extends Error {
  override name = 'FlowError';

  constructor(
    message: string,
    /** The definition, if known. */
    readonly definition?: unknown,
  ) {
    super(message);
  }
}
