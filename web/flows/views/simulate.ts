import { request, Unreachable } from '../../app/request';

/** Something that happened in a simulated run, as in dev/flow/timeline.ts. */
export interface TimelineEntry {
  atSeconds: number;
  step: string;
  description: string;
  messages?: Readonly<Record<string, { subject?: string; body: string }>>;
  exit?: string;
  to?: string;
}

export interface SimulatedRun {
  name: string;
  /** How the run differs from what the scenario expects. Empty if the scenario passed. */
  differences: readonly string[];
  timeline: {
    entries: readonly TimelineEntry[];
    outcome?: string;
    seconds: number;
    sends: number;
    unusedScriptedSteps: readonly string[];
  };
}

/** `error`: what is wrong with the script, one line for each cause. */
export type SimulationAnswer = { runs: readonly SimulatedRun[] } | { error: string } | { isUnreachable: true };

/** The scripted steps of one person, or scenarios in YAML. */
export type SimulatedScript = { person: string } | { scenarios: string };

/** The timeout is long: the first simulation starts a server, and 30 scenarios take about a minute. */
const timeoutMs = 125_000;

/** Simulates a flow on the local stack. Rejects only with an error that is a bug. */
export async function simulate(body: { name: string; text: string } & SimulatedScript): Promise<SimulationAnswer> {
  try {
    const answer = await request('/flows/simulations', { method: 'POST', body, timeoutMs, triesMax: 1 });
    return answer.status === 200 ? (answer.body as SimulationAnswer) : { isUnreachable: true };
  } catch (error) {
    if (error instanceof Unreachable) return { isUnreachable: true };
    throw error;
  }
}
