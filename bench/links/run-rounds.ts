import { generateLaterTransactions } from '../population/later-transactions';
import type { PersonKind, Population, PopulationTransaction } from '../population/population';
import type { AssessmentMeter, DatabaseCounters, AssessmentCost } from './assessment-meter';

/** One of the two graphs that are compared: its database and its population. */
export interface Side {
  name: string;
  population: Population;
  meter: AssessmentMeter;
}

/** The measurements of one graph in one round. */
export interface Round {
  measurements: (AssessmentCost & { kind: PersonKind })[];
  /** CPU time of this process for all assessments of the round. */
  processCpuMs: number;
  /** How much each counter of the database increased in the round. */
  counters: DatabaseCounters;
}

/**
 * Assessments in a turn. Every 20 transactions in a row have all kinds of persons. Turns are short, so that other work of the machine
 * affects both graphs equally.
 */
const turnLength = 20;

/** Assesses an endless sequence of new transactions on one graph, and collects the measurements of each round. */
class SideRun {
  readonly rounds: Round[] = [];
  readonly #transactions: Iterator<PopulationTransaction, undefined>;
  measurements: Round['measurements'] = [];
  #processCpuMs = 0;
  #countersBefore: DatabaseCounters | undefined;

  constructor(readonly side: Side) {
    this.#transactions = generateLaterTransactions(side.population) as Iterator<PopulationTransaction, undefined>;
  }

  async takeTurn(): Promise<void> {
    const start = process.cpuUsage();
    for (let count = 0; count < turnLength; count += 1) {
      const { value } = this.#transactions.next();
      if (!value) throw new Error('There are no more transactions.');
      this.measurements.push({ kind: value.kind, ...(await this.side.meter.measure(value.transaction)) });
    }
    const { user, system } = process.cpuUsage(start);
    this.#processCpuMs += (user + system) / 1_000;
  }

  async startRound(): Promise<void> {
    [this.measurements, this.#processCpuMs] = [[], 0];
    this.#countersBefore = await this.side.meter.readCounters();
  }

  async endRound(): Promise<void> {
    const countersAfter = await this.side.meter.readCounters();
    const increaseOf = (name: keyof DatabaseCounters) => countersAfter[name] - (this.#countersBefore?.[name] ?? 0);
    const counters: DatabaseCounters = {
      rowsFetched: increaseOf('rowsFetched'),
      pages: increaseOf('pages'),
      pagesMissed: increaseOf('pagesMissed'),
      backendCpuMs: increaseOf('backendCpuMs'),
    };
    this.rounds.push({ measurements: this.measurements, processCpuMs: this.#processCpuMs, counters });
  }
}

/** How many rounds and assessments are made. */
export interface RoundsPlan {
  rounds: number;
  /** Assessments of each side that are not measured. */
  warmUp: number;
  /** Assessments of each side in a round. */
  assessmentsPerRound: number;
}

/** Assesses the same mix of new transactions on both graphs, in turns. Returns the rounds of each graph. */
export async function runRounds(
  sides: readonly [Side, Side],
  { rounds, warmUp, assessmentsPerRound }: RoundsPlan,
  onProgress: (assessments: number) => void,
): Promise<[Round[], Round[]]> {
  const [firstRun, secondRun] = [new SideRun(sides[0]), new SideRun(sides[1])] as const;
  let assessedCount = 0;
  const takeTurns = async (assessments: number) => {
    for (let turn = 0; turn < assessments / turnLength; turn += 1) {
      // The graph that comes first alternates, because both graphs use the same caches.
      for (const side of turn % 2 === 0 ? [firstRun, secondRun] : [secondRun, firstRun]) await side.takeTurn();
      onProgress((assessedCount += 2 * turnLength));
    }
  };
  await takeTurns(warmUp);
  for (let round = 0; round < rounds; round += 1) {
    await firstRun.startRound();
    await secondRun.startRound();
    await takeTurns(assessmentsPerRound);
    await firstRun.endRound();
    await secondRun.endRound();
  }
  return [firstRun.rounds, secondRun.rounds];
}
