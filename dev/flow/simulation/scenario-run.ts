import { isOpen } from '../../../domain/confirmation';
import { fillText, type MessageText, minutesIn } from '../../../domain/confirmation-settings';
import { fillLinkText } from '../../../domain/biometrics/link-message';
import type { DecisionFacts } from '../../../domain/flows/facts-of';
import { type FlowRun, type RunPlan, stepOf } from '../../../domain/flows/run';
import { awaitedConfirmation } from '../../../domain/flows/find-run';
import { channelText } from '../../../domain/flows/describe-step';
import { type Language, languages } from '../../../domain/language';
import type { TransactionState } from '../../../domain/state';
import type { MessageToDeliver } from '../../../workflows/ports';
import type { ScriptedStep } from '../scripted-step';
import type { Scenario } from '../scenario';
import { makeScript, type Script } from '../scripted-step';
import type { TimelineEntry } from '../timeline';

/** Stands where the address of a page would. */
const shownLink = 'https://verify.example.com/biometrics/…';

/**
 * The minutes that a message has. The transaction counts them from when it asked, and a worker takes the message a moment
 * later: it is the message that tells on which side of a whole minute that was.
 */
function minutesTold({ message, expiresAt }: MessageToDeliver, body: string | undefined, atMs: number): string {
  const leftMs = Date.parse(expiresAt) - atMs;
  const near = [minutesIn(leftMs), minutesIn(leftMs + 60_000)] as const;
  return near.find((minutes) => body !== undefined && fillText(body, { minutes }) === message.body) ?? near[0];
}

/** One scenario as it is played: what the stage asks of it, and what has happened. */
export class ScenarioRun {
  readonly script: Script;
  readonly entries: (TimelineEntry & { atMs: number })[] = [];
  sends = 0;
  plan: RunPlan | undefined;
  /** The code of the newest message. */
  code = '';
  /** The line that is next in each ask, once it was drawn from the script. */
  readonly #drawn = new Map<string, ScriptedStep | undefined>();
  /** By confirmation, the one that its ask began with: a further message may have a code of its own. */
  readonly #askedFirst = new Map<string, string>();
  #state: TransactionState | undefined;

  constructor(
    readonly scenario: Scenario,
    private readonly codeOf: (message: MessageToDeliver) => string,
  ) {
    this.script = makeScript(scenario.person);
  }

  keep(state: TransactionState): void {
    if (!this.#state || this.#state.version < state.version) this.#state = state;
  }

  get state(): TransactionState {
    if (!this.#state) throw new Error('Nothing was kept of the scenarioRun yet.');
    return this.#state;
  }

  get run(): FlowRun | undefined {
    return this.#state?.runs?.at(-1);
  }

  /** The first line of an ask, drawn once however often it is asked for. */
  firstLine(ask: string, about: ScriptedStep['about']): ScriptedStep | undefined {
    if (!this.#drawn.has(ask)) this.#drawn.set(ask, this.script.next(about));
    return this.#drawn.get(ask);
  }

  /** The ask that a message belongs to. */
  #askOf({ confirmationId }: MessageToDeliver, step: string): string {
    const { run } = this;
    const asked = run && stepOf(run) === step ? awaitedConfirmation(this.state, run) : undefined;
    const before = asked && isOpen(asked) ? (this.#askedFirst.get(asked.id) ?? asked.id) : confirmationId;
    this.#askedFirst.set(confirmationId, before);
    return before;
  }

  /** `atMs` is an instant of the server's clock. */
  tell(atMs: number, step: string, what: string, more: Partial<TimelineEntry> = {}): void {
    this.entries.push({ atMs, atSeconds: 0, step, what, ...more });
  }

  withFindings(facts: DecisionFacts): DecisionFacts {
    const { score, insights, ratings } = this.scenario.transaction;
    return {
      ...facts,
      ...(score === undefined ? {} : { score }),
      ...(insights === undefined ? {} : { insights }),
      ...(ratings === undefined ? {} : { ratings: { ...facts.ratings, ...ratings } }),
    };
  }

  /** Takes a message to the person, unless their lines say that the provider refuses it. */
  send(message: MessageToDeliver, atMs: number): boolean {
    const { channel, kind, origin } = message.flow;
    const step = origin?.split('/')[1] ?? this.step;
    const line = kind === 'link' ? undefined : this.firstLine(this.#askOf(message, step), channel);
    if (line?.act.does === 'refuses') {
      this.script.came(line);
      this.tell(atMs, step, `the provider refuses the message ${channelText(channel)}`);
      return false;
    }
    this.sends += 1;
    this.code = kind === 'token' ? this.codeOf(message) : this.code;
    this.tell(atMs, step, `sends ${kind === 'link' ? 'the link ' : ''}${channelText(channel)}`, {
      messages: this.#shown(step, message, atMs),
    });
    return true;
  }

  /** The step of the newest record. */
  get step(): string {
    return this.run?.path.at(-1)?.step ?? this.plan?.flow.start ?? '';
  }

  /** As the message looks in each language, buttons included. */
  #shown(step: string, sent: MessageToDeliver, atMs: number): Record<Language, MessageText> {
    const { flow, message } = sent;
    const link = { link: shownLink };
    const texts =
      flow.kind === 'link'
        ? this.plan?.links[step]?.messages[flow.channel]
        : this.plan?.confirmations[step]?.settings.message;
    const minutes = minutesTold(sent, texts?.[sent.language]?.body, atMs);
    const entries = languages.map((language) => {
      const { subject, body } = texts?.[language] ?? message;
      const fill = (text: string) =>
        flow.kind === 'link'
          ? fillLinkText(text, link)
          : fillText(text, { minutes, ...(flow.kind === 'token' ? { code: this.code } : {}) });
      const buttons = flow.channel === 'sms' ? [] : (flow.options ?? []).map(({ label }) => `[${label[language]}]`);
      const shown = [fill(body), ...(buttons.length > 0 ? [buttons.join(' ')] : [])].join('\n');
      return [language, { ...(subject === undefined ? {} : { subject: fill(subject) }), body: shown }];
    });
    return Object.fromEntries(entries) as Record<Language, MessageText>;
  }

  notify(type: string, atMs: number): { delivered: boolean; reason?: 'Refused' } {
    const line = this.script.next('webhook');
    if (line) this.script.came(line);
    const refuses = line?.act.does === 'refuses';
    this.tell(atMs, this.step, refuses ? `the webhook refuses ${type}` : `tells the caller ${type}`);
    return refuses ? { delivered: false, reason: 'Refused' } : { delivered: true };
  }
}
