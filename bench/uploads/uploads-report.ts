import { median, quantile } from '../report/statistics';
import { figure, table } from '../report/table';
import type { RoundMemory } from './round-memory';
import type { Phase, Round, Spent } from './run-phases';
import type { Reading } from './transaction-reader';
import { p99Of, ratioOf } from './verdict';

const msOf = (readings: readonly Reading[], share: number) =>
  quantile(
    readings.map(({ ms }) => ms),
    share,
  );
const percent = (part: number, whole: number) => `${figure((100 * part) / whole, 0)} %`;

const titleOf = (rounds: readonly Round[]) => rounds.map((_, index) => `round ${index + 1}`);
const row = (name: string, rounds: readonly Round[], read: (round: Round, index: number) => string) => [
  name,
  ...rounds.map(read),
];

/** Readings while browsers still sent bytes, and those while they only waited for the work on their pictures. */
export function readingsByStep({ uploading, uploads }: Pick<Round, 'uploading' | 'uploads'>) {
  const sending = ({ at }: Reading) => uploads.some(({ beganAt, lastChunkAt }) => at >= beganAt && at < lastChunkAt);
  const { readings } = uploading;
  return { sending: readings.filter(sending), waiting: readings.filter((one) => !sending(one)) };
}

const phases: readonly [name: string, read: (round: Round) => Phase][] = [
  ['idle', ({ idle }) => idle],
  ['uploading', ({ uploading }) => uploading],
];

/** What callers felt, round by round. */
export function latencyTable(rounds: readonly Round[]): string {
  const lines = phases.flatMap(([name, read]) => [
    row(`${name}, median, ms`, rounds, (round) => figure(msOf(read(round).readings, 0.5), 1)),
    row(`${name}, p99, ms`, rounds, (round) => figure(p99Of(read(round)), 1)),
    row(`${name}, most, ms`, rounds, (round) => figure(msOf(read(round).readings, 1), 1)),
    row(`${name}, requests`, rounds, (round) => figure(read(round).readings.length, 0)),
  ]);
  const steps = (['sending', 'waiting'] as const).map((step) =>
    row(`p99 while ${step === 'sending' ? 'bytes come in' : 'only pictures are made anew'}, ms`, rounds, (round) =>
      figure(msOf(readingsByStep(round)[step], 0.99), 1),
    ),
  );
  return table(
    ['GET /v1/transaction/{id}', ...titleOf(rounds)],
    [...lines, ...steps, row('p99 uploading by idle', rounds, (round) => figure(ratioOf(round)))],
  );
}

/** What the uploads took, round by round. */
export function uploadsTable(rounds: readonly Round[], memory: readonly RoundMemory[], bytes: number): string {
  const seconds = (ms: number) => figure(ms / 1_000, 1);
  const medianOf = ({ uploads }: Round, read: (upload: Round['uploads'][number]) => number) =>
    seconds(median(uploads.map(read)));
  const rate = ({ uploads, waveMs }: Round) =>
    (uploads.length * bytes) / 1e6 / (waveMs.reduce((sum, ms) => sum + ms, 0) / 1_000);
  const shareOf = (title: string, what: Exclude<keyof Spent, 'ms'>) =>
    phases.map(([name, read]) =>
      row(`${title}, ${name}`, rounds, (round) => percent(read(round).spent[what], read(round).spent.ms)),
    );
  const mb = (read: (memory: RoundMemory) => number) => (_: Round, index: number) =>
    figure(memory[index] ? read(memory[index]) : Number.NaN, 0);
  return table(
    ['uploads', ...titleOf(rounds)],
    [
      row('uploads', rounds, ({ uploads }) => String(uploads.length)),
      row('until all are done, s', rounds, ({ waveMs }) => waveMs.map(seconds).join(' + ')),
      row('MB/s', rounds, (round) => figure(rate(round), 1)),
      row('one upload, median, s', rounds, (round) => medianOf(round, (one) => one.doneAt - one.beganAt)),
      row('  until its last chunk, s', rounds, (round) => medianOf(round, (one) => one.lastChunkAt - one.beganAt)),
      row('  for its turn and the work, s', rounds, (round) => medianOf(round, (one) => one.doneAt - one.lastChunkAt)),
      row('slowest upload, s', rounds, ({ uploads }) =>
        seconds(Math.max(...uploads.map((one) => one.doneAt - one.beganAt))),
      ),
      row('told to come again', rounds, ({ uploads }) =>
        String(uploads.reduce((sum, { sentAway }) => sum + sentAway, 0)),
      ),
      ...shareOf("API's main thread at work", 'mainThread'),
      ...shareOf('all threads of the API', 'api'),
      ...shareOf('all cores', 'machine'),
      ...shareOf('  of that not for the bench', 'others'),
      row(
        'API before the uploads, MB',
        rounds,
        mb(({ before }) => before),
      ),
      row(
        'API at most, MB',
        rounds,
        mb(({ peak }) => peak),
      ),
      row(
        'API after them, MB',
        rounds,
        mb(({ after }) => after),
      ),
    ],
  );
}
