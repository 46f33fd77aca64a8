import { laterVisits } from '../population/later-visits';
import type { Kind, Population, Visit } from '../population/population';
import type { AssessmentMeter, Counters, Measurement } from './assessment-meter';

/** A database under measurement. */
export interface Side {
  name: string;
  population: Population;
  meter: AssessmentMeter;
}

export interface Round {
  measurements: (Measurement & { kind: Kind })[];
  /** CPU time of the whole round. */
  processCpuMs: number;
  counters: Counters;
}

/** All kinds of visits occur in 20. Short turns spread a disturbance of the machine over both sides. */
const turnLength = 20;

class SideRun {
  readonly rounds: Round[] = [];
  readonly #visits: Iterator<Visit, undefined>;
  measurements: Round['measurements'] = [];
  #processCpuMs = 0;
  #before: Counters | undefined;

  constructor(readonly side: Side) {
    this.#visits = laterVisits(side.population) as Iterator<Visit, undefined>;
  }

  async takeTurn(): Promise<void> {
    const start = process.cpuUsage();
    for (let count = 0; count < turnLength; count += 1) {
      const { value } = this.#visits.next();
      if (!value) throw new Error('There are no more visits.');
      this.measurements.push({ kind: value.kind, ...(await this.side.meter.measure(value.transaction)) });
    }
    const { user, system } = process.cpuUsage(start);
    this.#processCpuMs += (user + system) / 1_000;
  }

  async startRound(): Promise<void> {
    [this.measurements, this.#processCpuMs] = [[], 0];
    this.#before = await this.side.meter.counters();
  }

  async endRound(): Promise<void> {
    const after = await this.side.meter.counters();
    const since = (name: keyof Counters) => after[name] - (this.#before?.[name] ?? 0);
    const counters: Counters = {
      rowsFetched: since('rowsFetched'),
      pages: since('pages'),
      pagesMissed: since('pagesMissed'),
      backendCpuMs: since('backendCpuMs'),
    };
    this.rounds.push({ measurements: this.measurements, processCpuMs: this.#processCpuMs, counters });
  }
}

export interface RoundsPlan {
  rounds: number;
  /** Assessments of each side that are not measured. */
  warmUp: number;
  /** Assessments of each side in a round. */
  assessmentsPerRound: number;
}

/** Assesses the same mix of new transactions on both sides, in turns. Returns the rounds of each side. */
export async function runRounds(
  sides: readonly [Side, Side],
  { rounds, warmUp, assessmentsPerRound }: RoundsPlan,
  onDone: (assessments: number) => void,
): Promise<[Round[], Round[]]> {
  const [a, b] = [new SideRun(sides[0]), new SideRun(sides[1])] as const;
  let done = 0;
  const takeTurns = async (assessments: number) => {
    for (let turn = 0; turn < assessments / turnLength; turn += 1) {
      // The first side alternates, because it finds the caches as the other side left them.
      for (const side of turn % 2 === 0 ? [a, b] : [b, a]) await side.takeTurn();
      onDone((done += 2 * turnLength));
    }
  };
  await takeTurns(warmUp);
  for (let round = 0; round < rounds; round += 1) {
    await a.startRound();
    await b.startRound();
    await takeTurns(assessmentsPerRound);
    await a.endRound();
    await b.endRound();
  }
  return [a.rounds, b.rounds];
}
