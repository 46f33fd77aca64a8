import { writeFileSync } from 'node:fs';
import { PolicyError } from '../../activities/scoring/policy/parse-policy';
import { drawReport } from './draw-report';
import { checkOut, FileError, openPolicy, openTransactions } from './open-files';
import { printReport } from './print-report';
import { createProgressBar, type OutputStream } from './progress-bar';
import { type Options, readOptions, usage, UsageError } from './read-options';
import { toReport } from './report';
import { scoreFile } from './score-file';

/** What a run needs of its context. Progress and faults go to `stderr`, so that `stdout` has the report alone. */
export interface CommandContext {
  stdout: OutputStream;
  stderr: OutputStream;
}

async function score(options: Options, { stdout, stderr }: CommandContext): Promise<number> {
  const { withFacts, language, plain, json, out } = options;
  const policy = openPolicy(options.policy);
  if (out) checkOut(out);
  const { source, bytes } = openTransactions(options.transactions);
  const since = Date.now();
  const progress = createProgressBar(stderr, plain);
  const share = () => (bytes ? Math.min(1, source.bytesRead / bytes) : undefined);
  const onLine = (line: number) => progress.advance({ lines: line, share: share() });
  const tally = await scoreFile(source, { policy, withFacts, onLine }).finally(() => progress.end());
  const report = toReport(tally, { policy, withFacts, language, elapsedMs: Date.now() - since });
  stdout.write(json ? `${JSON.stringify(report, null, 2)}\n` : printReport(report, { plain }));
  if (report.transactions.scored === 0) {
    stderr.write(`--transactions ${options.transactions}: no line could be scored.\n`);
    return 1;
  }
  if (out) writeFileSync(out, drawReport(report, tally.scores));
  return 0;
}

/**
 * The offline scorer. Answers the exit code: 0; 1 when no line could be scored; 2 for wrong usage and for files that
 * cannot be used. What it writes never has a value of a transaction.
 */
export async function runScore(args: readonly string[], context: CommandContext): Promise<number> {
  try {
    return await score(readOptions(args), context);
  } catch (error) {
    if (error instanceof UsageError) context.stderr.write(`${error.message}\n\n${usage}`);
    else if (error instanceof FileError || error instanceof PolicyError) context.stderr.write(`${error.message}\n`);
    else throw error;
    return 2;
  }
}
