import { parseArgs } from 'node:util';
import { type Language, languages } from '../../domain/transactions/input';

/** The options of a command line. */
export interface Options {
  policy: string;
  transactions: string;
  out?: string;
  language: Language;
  withFacts: boolean;
  json: boolean;
  plain: boolean;
}

export const usage = `Usage: npm run -s score -- --policy FILE --transactions FILE.ndjson [options]

Uses a policy to compute the score of each transaction in a file. The service does not need to run. Each line of the file is
a body of POST /v1/transaction. A line may also have createdAt (ISO 8601), label ("good" or "bad") and facts. For
example, the facts {"phone": true} mean that the person confirmed the phone, and {"denied": true} that the person denied
the transaction.

  --out FILE.svg      draws a chart of the scores into this file
  --with-facts        uses the facts of a transaction also for its own score. Without this option, facts change only the
                      scores of later transactions with the same document, phone or e-mail address
  --language ${languages.join('|')}   language of the findings (default: pt-BR)
  --json              prints everything as JSON, for CI
  --plain             prints ASCII bars, and shows progress as dots
`;

/** Wrong usage. It is printed with the usage text. */
export class UsageError extends Error {
  override name = 'UsageError';
}

function parse(args: readonly string[]) {
  const [textOption, flagOption] = [{ type: 'string' } as const, { type: 'boolean', default: false } as const];
  try {
    return parseArgs({
      args: [...args],
      options: {
        policy: textOption,
        transactions: textOption,
        out: textOption,
        language: { ...textOption, default: 'pt-BR' },
        'with-facts': flagOption,
        json: flagOption,
        plain: flagOption,
      },
    }).values;
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

/** The options of a command line. Throws UsageError. */
export function readOptions(args: readonly string[]): Options {
  const { policy, transactions, out, language, 'with-facts': withFacts, json, plain } = parse(args);
  const knownLanguage = languages.find((one) => one === language);
  if (!policy) throw new UsageError('--policy is missing.');
  if (!transactions) throw new UsageError('--transactions is missing.');
  if (!knownLanguage) throw new UsageError(`--language must be one of ${languages.join(', ')}.`);
  return { policy, transactions, language: knownLanguage, withFacts, json, plain, ...(out ? { out } : {}) };
}
