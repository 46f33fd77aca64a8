import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { root } from './test-stack';

/** One block of a guide. */
export interface CommandBlock {
  commands: string;
  /** Undefined if the guide shows no output. */
  shownOutput?: string;
}

/** A block with a comment `by hand` above it does not run in tests. `byHand`: the reason for this. */
const blockPattern = /(?:^<!-- by hand: (?<byHand>.+) -->\n)?^```(?<language>\w*)\n(?<text>[\s\S]*?)^```$/gm;

/**
 * The blocks that run in tests: `bash` blocks, and blocks that begin with `$ ` and show the output of their command. `file`: the path of
 * the guide in the repository.
 */
export function readCommandBlocks(file: string): CommandBlock[] {
  const guide = readFileSync(join(root, file), 'utf8');
  return Array.from(guide.matchAll(blockPattern)).flatMap(({ groups }) => {
    const { byHand, language = '', text = '' } = groups ?? {};
    if (byHand) return [];
    if (language === 'bash') return [{ commands: text }];
    if (!text.startsWith('$ ')) return [];
    const [command = '', ...output] = text.split('\n');
    return [{ commands: `${command.slice(2)}\n`, shownOutput: output.join('\n') }];
  });
}

/** A shell function in place of curl. It writes the status of each request to standard error, and ends streams after two seconds. */
const curl = String.raw`
curl() {
  local options=(-w '%{stderr}%{http_code} %{method} %{url}\n')
  if [[ " $* " == *" -N "* ]]; then command curl --max-time 2 "$\{options[@]}" "$@" || [ $? -eq 28 ]
  else command curl "$\{options[@]}" "$@"; fi
}`.replaceAll('$\\{', '${');

export interface GuideShell {
  /** Returns the output. Variables stay for the next commands. Throws if a command fails. */
  run(commands: string): Promise<string>;
  /** Requests of curl that got an error, such as `410 GET http://…`, without requests of commands that use the option `-w` themselves. */
  failedRequests(): string[];
  stop(): void;
}

/** A shell for the commands of a guide. */
export function openGuideShell(folder: string, env: Readonly<Record<string, string>>): GuideShell {
  const shell = spawn('bash', ['--norc'], { cwd: folder, env: { ...process.env, ...env } });
  const lines: string[] = [];
  let errors = '';
  let finish: () => void = () => {};
  createInterface({ input: shell.stdout }).on('line', (line) => {
    if (line === endOfBlock) finish();
    else lines.push(line);
  });
  shell.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  const closed = once(shell, 'close');
  shell.stdin.write(`set -eo pipefail\n${curl}\n`);
  return {
    run: async (commands) => {
      lines.length = 0;
      const file = join(folder, 'block.sh');
      writeFileSync(file, commands);
      const finished = new Promise<void>((resolve) => (finish = resolve));
      // The output of curl has no line break at its end.
      shell.stdin.write(`source ${file} < /dev/null\necho\necho '${endOfBlock}'\n`);
      const failed = closed.then(() => {
        throw new Error(`This failed:\n${commands}\n${lines.join('\n')}\n${errors}`);
      });
      await Promise.race([finished, failed]);
      return lines.join('\n');
    },
    failedRequests: () => errors.match(/^[45]\d\d [A-Z]+ http.*$/gm) ?? [],
    stop: () => void shell.kill(),
  };
}

/** Printed after each block. */
const endOfBlock = '-- end of block --';

/** In `shown`, a line with `…` stands for any lines. Codes and times may differ. */
export function isShownOutput(shown: string, output: string): boolean {
  const escaped = shown.trim().replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  const pattern = escaped
    .replace(/^ *…$/gm, String.raw`[\s\S]*?`)
    .replace(/\d{6}/g, String.raw`\d{6}`)
    .replace(/ *\\\+[\dms]+(?= )/g, String.raw` *\+[\dms]+`)
    .replace(/\d+ min \d+ s\b/g, String.raw`[\dmins ]+`);
  return new RegExp(`^\\s*${pattern}\\s*$`).test(output);
}
