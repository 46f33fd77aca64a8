import { laterVisits } from '../population/later-visits';
import type { Kind, Population, Visit } from '../population/population';
import type { AssessmentMeter, Counters, Measured } from './assessment-meter';

/** A database under measurement. */
export interface Side {
  name: string;
  population: Population;
  meter: AssessmentMeter;
}

export interface Round {
  measured: (Measured & { kind: Kind })[];
  /** Of all of the round. */
  processCpuMs: number;
  counters: Counters;
}

/** The kinds of visits come in turns of twenty; turns this short put a disturbance of the machine on both sides. */
const turnLength = 20;

class SideRun {
  readonly rounds: Round[] = [];
  readonly #visits: Iterator<Visit, undefined>;
  #measured: Round['measured'] = [];
  #processCpuMs = 0;
  #before: Counters | undefined;

  constructor(readonly side: Side) {
    this.#visits = laterVisits(side.population) as Iterator<Visit, undefined>;
  }

  async takeTurn(): Promise<void> {
    const begun = process.cpuUsage();
    for (let count = 0; count < turnLength; count += 1) {
      const { value } = this.#visits.next();
      if (!value) throw new Error('There are no more visits.');
      this.#measured.push({ kind: value.kind, ...(await this.side.meter.measure(value.transaction)) });
    }
    const { user, system } = process.cpuUsage(begun);
    this.#processCpuMs += (user + system) / 1_000;
  }

  async begin(): Promise<void> {
    [this.#measured, this.#processCpuMs] = [[], 0];
    this.#before = await this.side.meter.counters();
  }

  async end(): Promise<void> {
    const now = await this.side.meter.counters();
    const since = (name: keyof Counters) => now[name] - (this.#before?.[name] ?? 0);
    const counters: Counters = {
      rowsFetched: since('rowsFetched'),
      pages: since('pages'),
      pagesMissed: since('pagesMissed'),
      backendCpuMs: since('backendCpuMs'),
    };
    this.rounds.push({ measured: this.#measured, processCpuMs: this.#processCpuMs, counters });
  }
}

export interface RoundsPlan {
  rounds: number;
  /** Assessments of each side before anything is measured: both sides compiled and their pages in memory. */
  warmUp: number;
  /** Assessments of each side in a round. */
  each: number;
}

/** Assesses the same mix of new transactions on both sides, in turns. Gives the rounds of each side. */
export async function runRounds(
  sides: readonly [Side, Side],
  { rounds, warmUp, each }: RoundsPlan,
  onDone: (assessments: number) => void,
): Promise<[Round[], Round[]]> {
  const [a, b] = [new SideRun(sides[0]), new SideRun(sides[1])] as const;
  let done = 0;
  const takeTurns = async (assessments: number) => {
    for (let turn = 0; turn < assessments / turnLength; turn += 1) {
      // Whoever goes first finds the machine as the other left it: this is taken in turns too.
      for (const side of turn % 2 === 0 ? [a, b] : [b, a]) await side.takeTurn();
      onDone((done += 2 * turnLength));
    }
  };
  await takeTurns(warmUp);
  for (let round = 0; round < rounds; round += 1) {
    await a.begin();
    await b.begin();
    await takeTurns(each);
    await a.end();
    await b.end();
  }
  return [a.rounds, b.rounds];
}
