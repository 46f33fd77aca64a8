import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type GetTestStack, root } from '../support/test-stack';

/** The steps, with the ports of the test stack. */
function readmeSteps({ api, inbox }: { api: string; inbox: string }): string {
  const readme = readFileSync(join(root, 'README.md'), 'utf8');
  const block = /<!-- walk -->\n```bash\n([\s\S]+?)```/.exec(readme)?.[1];
  if (!block) throw new Error('The README has no steps.');
  return block.replace('http://127.0.0.1:3000', api).replace('http://127.0.0.1:3001', inbox);
}

interface ReadmeResult {
  /** The output of the last step. */
  lastLine: unknown;
  scores: { value: number }[];
}

async function runReadmeSteps({ stack }: ReturnType<GetTestStack>): Promise<ReadmeResult> {
  const { api, inbox } = stack.addresses;
  const env = { ...process.env, PORT: new URL(api).port, DATA_DIR: stack.dataDir };
  const script = `set -euo pipefail\n${readmeSteps({ api, inbox })}curl -s $API/v1/transaction/$ID/all -H "$AUTH"`;
  const { stdout } = await promisify(execFile)('bash', ['-c', script], { cwd: root, env });
  const lines = stdout.split('\n');
  // One line each: two sends, the check of the code, the last step, and the whole transaction.
  expect(lines).toHaveLength(5);
  const [lastLine, all] = lines.slice(-2).map((line) => JSON.parse(line) as unknown);
  return { lastLine, scores: (all as ReadmeResult).scores };
}

/** The first steps of a new user. */
export function describeReadme(getTestStack: GetTestStack): void {
  describe('the steps of the README', () => {
    it('the steps of the README work as written, and give the same scores when repeated', async () => {
      const firstResult = await runReadmeSteps(getTestStack());
      expect(firstResult.lastLine).toEqual({
        'phone.verified': true,
        scores: ['Initial', 'PhoneChecked', 'WhatsappChecked'],
        'smsToken.status': 'Valid',
      });
      const secondResult = await runReadmeSteps(getTestStack());
      expect(secondResult.scores.map(({ value }) => value)).toEqual(firstResult.scores.map(({ value }) => value));
    });
  });
}
