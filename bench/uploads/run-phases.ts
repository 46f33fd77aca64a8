import { setTimeout as sleep } from 'node:timers/promises';
import { backendCpuMs } from '../links/backend-cpu';
import type { OpenLinks } from './open-links';
import type { Upload } from './persons-browser';
import { machineMs, processCpuMs } from './process-figures';
import type { Reading, TransactionReader } from './transaction-reader';

/** What happened while transactions were read. */
export interface Phase {
  readings: Reading[];
  spent: Spent;
}

/** Milliseconds, all but the first of processors. */
export interface Spent {
  ms: number;
  /** Of the API's main thread. */
  mainThread: number;
  /** Of all threads of the API. */
  api: number;
  /** Of all cores, for whomever. */
  machine: number;
  /** Of all cores, for what is none of the bench's. */
  others: number;
}

export interface Round {
  idle: Phase;
  uploading: Phase;
  uploads: Upload[];
  /** From the first request of a browser to the last answer, of each wave. */
  waveMs: number[];
}

export interface RoundPlan {
  links: OpenLinks;
  reader: TransactionReader;
  apiPid: number;
  uploads: number;
  picture: Buffer;
}

/** Enough for a 99th percentile that stands on some readings. */
const idleReadings = 1_200;
const uploadingReadings = 300;
/** New transactions are assessed and recorded meanwhile. */
const settleMs = 2_000;

function spentBy(apiPid: number): Spent {
  const { busy, others } = machineMs();
  return { ms: performance.now(), mainThread: backendCpuMs(apiPid), api: processCpuMs(apiPid), machine: busy, others };
}

const combine = (one: Spent, other: Spent, by: (one: number, other: number) => number): Spent => ({
  ms: by(one.ms, other.ms),
  mainThread: by(one.mainThread, other.mainThread),
  api: by(one.api, other.api),
  machine: by(one.machine, other.machine),
  others: by(one.others, other.others),
});

async function measured(apiPid: number, work: () => Promise<Reading[]>): Promise<Phase> {
  const before = spentBy(apiPid);
  const readings = await work();
  return { readings, spent: combine(spentBy(apiPid), before, (after, then) => after - then) };
}

const together = (one: Phase, other: Phase): Phase => ({
  readings: [...one.readings, ...other.readings],
  spent: combine(one.spent, other.spent, (a, b) => a + b),
});

async function runWave({ links, reader, apiPid, uploads, picture }: RoundPlan, idle?: () => Promise<void>) {
  const browsers = await links.browsers(uploads);
  await sleep(settleMs);
  await idle?.();
  let sent: Upload[] = [];
  const phase = await measured(apiPid, async () => {
    const work = () => Promise.all(browsers.map((browser) => browser.upload('selfie', picture)));
    const { readings, result } = await reader.readDuring(work);
    sent = result;
    return readings;
  });
  return { phase, sent };
}

/** Reads transactions while nothing else goes on, then while all browsers upload at once, until there are enough readings. */
export async function runRound(plan: RoundPlan): Promise<Round> {
  let idle: Phase | undefined;
  let uploading: Phase | undefined;
  const [uploads, waveMs]: [Upload[], number[]] = [[], []];
  while (!uploading || uploading.readings.length < uploadingReadings) {
    const { phase, sent } = await runWave(plan, async () => {
      idle ??= await measured(plan.apiPid, () => plan.reader.readTimes(idleReadings));
    });
    uploading = uploading ? together(uploading, phase) : phase;
    uploads.push(...sent);
    waveMs.push(Math.max(...sent.map(({ doneAt }) => doneAt)) - Math.min(...sent.map(({ beganAt }) => beganAt)));
  }
  if (!idle) throw new Error('Nothing was read before the uploads.');
  return { idle, uploading, uploads, waveMs };
}
