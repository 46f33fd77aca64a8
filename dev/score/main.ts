import { writeFileSync } from 'node:fs';
import { PolicyError } from '../../scoring/policy/parse-policy';
import { drawReport } from './draw-report';
import { checkOutputFolder, FileError, openPolicy, openTransactions } from './open-files';
import { formatReport } from './print-report';
import { createProgressBar, type OutputStream } from './progress-bar';
import { type Options, readOptions, usage, UsageError } from './read-options';
import { toReport } from './report';
import { scoreFile } from './score-file';

/** The outputs of the command. Progress and errors go to `stderr`, so that `stdout` contains only the report. */
export interface CommandContext {
  stdout: OutputStream;
  stderr: OutputStream;
}

async function score(options: Options, { stdout, stderr }: CommandContext): Promise<number> {
  const { withFacts, language, plain, json, out } = options;
  const policy = openPolicy(options.policy);
  if (out) checkOutputFolder(out);
  const { source, bytes } = openTransactions(options.transactions);
  const startedAt = Date.now();
  const progress = createProgressBar(stderr, plain);
  const readShare = () => (bytes ? Math.min(1, source.bytesRead / bytes) : undefined);
  const onLine = (line: number) => progress.advance({ lines: line, share: readShare() });
  const tally = await scoreFile(source, { policy, withFacts, onLine }).finally(() => progress.end());
  const report = toReport(tally, { policy, withFacts, language, elapsedMs: Date.now() - startedAt });
  stdout.write(json ? `${JSON.stringify(report, null, 2)}\n` : formatReport(report, { plain }));
  if (report.transactions.scored === 0) {
    stderr.write(`--transactions ${options.transactions}: no line could be scored.\n`);
    return 1;
  }
  if (out) writeFileSync(out, drawReport(report, tally.scores));
  return 0;
}

/**
 * The command `npm run score`, which scores a file of transactions without the service. Returns the exit code: 0 success, 1 no line could
 * be scored, 2 wrong usage or an unusable file. The output of the command never contains values of a transaction.
 */
export async function runScore(args: readonly string[], context: CommandContext): Promise<number> {
  if (args.includes('--help') || args.includes('-h')) {
    context.stdout.write(usage);
    return 0;
  }
  try {
    return await score(readOptions(args), context);
  } catch (error) {
    if (error instanceof UsageError) context.stderr.write(`${error.message}\n\n${usage}`);
    else if (error instanceof FileError || error instanceof PolicyError) context.stderr.write(`${error.message}\n`);
    else throw error;
    return 2;
  }
}
