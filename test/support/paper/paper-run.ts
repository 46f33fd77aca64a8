import type { MessageText } from '../../../domain/confirmation-settings';
import type { FlowDefinition } from '../../../domain/flows/definition';
import type { Templates } from '../../../domain/flows/template';
import type { Language } from '../../../domain/language';
import type { Scenario } from '../../../dev/flow/scenario';
import { makeScript, type Script } from '../../../dev/flow/script';
import type { Timeline, TimelineEntry } from '../../../dev/flow/timeline';

/** How a step was left: in words, and by which exit; an outcome has none. */
export interface Left {
  what: string;
  exit?: string;
}

/** A run in the making: its clock, and what has happened in it. */
export class PaperRun {
  now = 0;
  step: string;
  readonly script: Script;
  private readonly entries: TimelineEntry[] = [];
  private readonly path: string[] = [];
  private sends = 0;
  private outcome: string | undefined;

  constructor(
    readonly flow: FlowDefinition,
    readonly scenario: Scenario,
    readonly templates: Templates,
  ) {
    this.step = flow.start;
    this.script = makeScript(scenario.person);
  }

  /** Goes into the step where it stands, and says how often it has been there before. */
  enter(): number {
    const before = this.path.filter((step) => step === this.step).length;
    this.path.push(this.step);
    return before;
  }

  /** Takes back an entry that the step did not allow. */
  turnAway(): void {
    this.path.pop();
  }

  tell(what: string): void {
    this.entries.push({ atSeconds: this.now, step: this.step, what });
  }

  send(what: string, messages: Record<Language, MessageText>): void {
    this.sends += 1;
    this.entries.push({ atSeconds: this.now, step: this.step, what, messages });
  }

  leave({ what, exit }: Left, to: string | undefined): void {
    const { now, step } = this;
    this.entries.push({
      atSeconds: now,
      step,
      what,
      ...(exit === undefined ? {} : { exit }),
      ...(to === undefined ? {} : { to }),
    });
    if (to !== undefined) this.step = to;
  }

  end(outcome: string): void {
    this.leave({ what: `ends as ${outcome}` }, undefined);
    this.outcome = outcome;
  }

  toTimeline(): Timeline {
    const { flow, entries, path, now, sends, outcome, script } = this;
    const { name, version } = flow;
    const neverCame = script.neverCame();
    return {
      flow: name,
      version,
      entries,
      path,
      seconds: now,
      sends,
      neverCame,
      ...(outcome === undefined ? {} : { outcome }),
    };
  }
}
