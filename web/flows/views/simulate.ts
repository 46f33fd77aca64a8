import { request, Unreachable } from '../../app/request';

/** Something that happened in a simulated run, as in dev/flow/timeline.ts. */
export interface TimelineEntry {
  /** The seconds since the start of the run. */
  atSeconds: number;
  step: string;
  description: string;
  /** The message that was sent, in each language. */
  messages?: Readonly<Record<string, { subject?: string; body: string }>>;
  /** The exit by which the run leaves the step. */
  exit?: string;
  /** The step to which the exit leads. */
  to?: string;
}

/** A flow run in a simulation. */
export interface SimulatedRun {
  /** The name of the scenario, or `--person` if the user wrote only scripted steps. */
  name: string;
  /** How the run differs from what the scenario expects. Empty if the scenario passed. Absent if nothing was expected. */
  differences?: readonly string[];
  timeline: {
    /** Oldest first. */
    entries: readonly TimelineEntry[];
    /** Absent if the run did not end. */
    outcome?: string;
    /** The duration of the run. */
    seconds: number;
    /** The number of messages that the run would have sent outside of the simulation. */
    sends: number;
    /** The scripted steps that the simulated person never did. */
    unusedScriptedSteps: readonly string[];
    /** The scripted steps that the transaction rejected. */
    rejectedScriptedSteps: readonly string[];
  };
}

/** `error`: what is wrong with the flow or the script, one line for each cause. `isUnreachable`: the simulator did not answer. */
export type SimulationAnswer = { runs: readonly SimulatedRun[] } | { error: string } | { isUnreachable: true };

/** The scripted steps of one person, or scenarios in YAML. */
export type SimulatedScript = { person: string } | { scenarios: string };

/** The timeout is long: the first simulation starts a server, and 30 scenarios take about a minute. */
const timeoutMs = 125_000;

/** Simulates a flow on the local stack. Rejects only if there is a bug. */
export async function simulate(body: { name: string; text: string } & SimulatedScript): Promise<SimulationAnswer> {
  try {
    const answer = await request('/flows/simulations', { method: 'POST', body, timeoutMs, triesMax: 1 });
    return answer.status === 200 ? (answer.body as SimulationAnswer) : { isUnreachable: true };
  } catch (error) {
    if (error instanceof Unreachable) return { isUnreachable: true };
    throw error;
  }
}
