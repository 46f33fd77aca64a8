import { isOpen } from '../../../domain/confirmations/confirmation';
import { fillText, type MessageText, formatMinutes, type TextChannel } from '../../../domain/confirmations/settings';
import type { DecisionFacts } from '../../../domain/flows/decision-facts';
import { type FlowRun, type RunPlan, currentStepName } from '../../../domain/flows/run';
import { confirmationAwaitedBy } from '../../../domain/flows/runs';
import { channelText } from '../../../domain/flows/describe-step';
import { type Language, languages } from '../../../domain/transactions/input';
import type { TransactionState } from '../../../domain/transactions/state';
import type { MessageToDeliver, NotificationResult } from '../../../workflows/contract/activities';
import type { ScriptedStep } from '../scripted-step';
import type { Scenario } from '../scenario';
import { createScript, type Script } from '../scripted-step';
import type { TimelineEntry } from '../timeline';

/** Shown instead of the address of a hosted page. */
const shownLink = 'https://verify.example.com/biometrics/…';

/**
 * How many minutes a code or question stays valid, as its message says. The transaction calculated this number shortly before `atMs`, so it
 * can be one higher than the number at `atMs`. This function tries both numbers, and returns the number that is in the message.
 */
function shownMinutes({ message, expiresAt }: MessageToDeliver, body: string | undefined, atMs: number): string {
  const leftMs = Date.parse(expiresAt) - atMs;
  const candidates = [formatMinutes(leftMs), formatMinutes(leftMs + 60_000)] as const;
  return (
    candidates.find((minutes) => body !== undefined && fillText(body, { minutes }) === message.body) ?? candidates[0]
  );
}

/**
 * The state of one running scenario: its script, and what has happened so far. A prompt is what a step asks of the person: a confirmation
 * with its resends, or a link. Its id is the id of its first confirmation, or of its link.
 */
export class ScenarioRun {
  readonly script: Script;
  /** What happened. `buildTimeline` sorts the entries, and computes `atSeconds` from `atMs`. */
  readonly entries: (TimelineEntry & { atMs: number })[] = [];
  sends = 0;
  plan: RunPlan | undefined;
  /** The code of the newest message. */
  newestCode = '';
  /** The first scripted step of each prompt, by the id of the prompt. Undefined: the script has no scripted step for the prompt. */
  readonly #firstSteps = new Map<string, ScriptedStep | undefined>();
  /** For each confirmation, the id of its prompt. A resend may create another confirmation of the same prompt, with a new code. */
  readonly #promptIds = new Map<string, string>();
  #state: TransactionState | undefined;

  /** `codeOf`: returns the code that a message contains. */
  constructor(
    readonly scenario: Scenario,
    private readonly codeOf: (message: MessageToDeliver) => string,
  ) {
    this.script = createScript(scenario.person);
  }

  /** Saves a state. Does nothing if a newer state is already saved. */
  saveState(state: TransactionState): void {
    if (!this.#state || this.#state.version < state.version) this.#state = state;
  }

  get state(): TransactionState {
    if (!this.#state) throw new Error('The transaction was not saved yet.');
    return this.#state;
  }

  /** The flow run of the scenario, in the saved state. */
  get run(): FlowRun | undefined {
    return this.#state?.runs?.at(-1);
  }

  /**
   * The first scripted step of a prompt. Every call for a prompt returns the same scripted step. `topic`: the channel of the prompt, or
   * `pictures` for a link.
   */
  firstStep(promptId: string, topic: ScriptedStep['topic']): ScriptedStep | undefined {
    if (!this.#firstSteps.has(promptId)) this.#firstSteps.set(promptId, this.script.next(topic));
    return this.#firstSteps.get(promptId);
  }

  /** The id of the prompt that a message belongs to. */
  #promptIdOf({ confirmationOrLinkId: confirmationId }: MessageToDeliver, currentStep: string): string {
    const { run } = this;
    const confirmation =
      run && currentStepName(run) === currentStep ? confirmationAwaitedBy(this.state, run) : undefined;
    const promptId =
      confirmation && isOpen(confirmation) ? (this.#promptIds.get(confirmation.id) ?? confirmation.id) : confirmationId;
    this.#promptIds.set(confirmationId, promptId);
    return promptId;
  }

  /** Adds an entry to the timeline. `atMs` is an instant of the server's clock. */
  addEntry(atMs: number, step: string, description: string, details: Partial<TimelineEntry> = {}): void {
    this.entries.push({ atMs, atSeconds: 0, step, description, ...details });
  }

  /** Returns the facts of the analyses, but with the score, insights and ratings that the scenario sets. */
  overrideFacts(facts: DecisionFacts): DecisionFacts {
    const { score, insights, ratings } = this.scenario.transaction;
    return {
      ...facts,
      ...(score === undefined ? {} : { score }),
      ...(insights === undefined ? {} : { insights }),
      ...(ratings === undefined ? {} : { ratings: { ...facts.ratings, ...ratings } }),
    };
  }

  /** Sends a message to the person. Returns false when a scripted step makes the provider reject it. */
  send(message: MessageToDeliver, atMs: number): boolean {
    const { channel, kind, origin } = message.settings;
    const step = origin?.split('/')[1] ?? this.step;
    const scriptedStep = kind === 'link' ? undefined : this.firstStep(this.#promptIdOf(message, step), channel);
    if (scriptedStep?.action.does === 'refuses') {
      this.script.markUsed(scriptedStep);
      this.addEntry(atMs, step, `the provider rejects the message ${channelText(channel)}`);
      return false;
    }
    this.sends += 1;
    this.newestCode = kind === 'token' ? this.codeOf(message) : this.newestCode;
    this.addEntry(atMs, step, `sends ${kind === 'link' ? 'the link ' : ''}${channelText(channel)}`, {
      messages: this.renderMessage(step, message, atMs),
    });
    return true;
  }

  /** Whether a message of the confirmation arrives. By default, it does. */
  hasArrived(confirmationId: string, atMs: number): boolean {
    const scriptedStep = this.#firstSteps.get(this.#promptIds.get(confirmationId) ?? confirmationId);
    if (scriptedStep?.action.does !== 'doesNotArrive') return true;
    this.script.markUsed(scriptedStep);
    this.addEntry(atMs, this.step, 'the message has not arrived');
    return false;
  }

  /** The current step of the flow run in the saved state. */
  get step(): string {
    return this.run?.path.at(-1)?.step ?? this.plan?.flow.start ?? '';
  }

  /** The message in each language, including its buttons. */
  renderMessage(step: string, messageToDeliver: MessageToDeliver, atMs: number): Record<Language, MessageText> {
    const { settings, message } = messageToDeliver;
    const texts =
      settings.kind === 'link'
        ? this.plan?.links[step]?.messages[settings.channel as TextChannel]
        : this.plan?.confirmations[step]?.settings.message;
    const minutes = shownMinutes(messageToDeliver, texts?.[messageToDeliver.language]?.body, atMs);
    const values = {
      link: { link: shownLink },
      token: { minutes, code: this.newestCode },
      secondFactor: { minutes },
      biometricsResult: {},
    }[settings.kind];
    const entries = languages.map((language) => {
      const { subject, body } = texts?.[language] ?? message;
      const fill = (text: string) => fillText(text, values);
      const buttons =
        settings.channel === 'sms' ? [] : (settings.options ?? []).map(({ label }) => `[${label[language]}]`);
      const bodyText = [fill(body), ...(buttons.length > 0 ? [buttons.join(' ')] : [])].join('\n');
      return [language, { ...(subject === undefined ? {} : { subject: fill(subject) }), body: bodyText }];
    });
    return Object.fromEntries(entries) as Record<Language, MessageText>;
  }

  /** Delivers the event of the current step. If the next scripted step of the webhook rejects the event, the event is not delivered. */
  notify(atMs: number): NotificationResult {
    const definition = this.run?.plan?.flow.steps[this.step];
    const event = definition?.kind === 'notify' ? definition.event : '';
    const scriptedStep = this.script.next('webhook');
    if (scriptedStep) this.script.markUsed(scriptedStep);
    const rejects = scriptedStep?.action.does === 'refuses';
    this.addEntry(atMs, this.step, rejects ? `the webhook rejects ${event}` : `notifies the caller: ${event}`);
    return rejects ? { delivered: false, reason: 'Parked' } : { delivered: true };
  }
}
