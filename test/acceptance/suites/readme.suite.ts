import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Running, root } from '../support/acceptance-stack';

/** The lines of the README's walk, for the ports of a stack under test. */
function walkOf({ api, inbox }: { api: string; inbox: string }): string {
  const readme = readFileSync(join(root, 'README.md'), 'utf8');
  const block = /<!-- walk -->\n```bash\n([\s\S]+?)```/.exec(readme)?.[1];
  if (!block) throw new Error('The README has no walk.');
  return block.replace('http://127.0.0.1:3000', api).replace('http://127.0.0.1:3001', inbox);
}

/** What a newcomer does first. */
export function describeReadme(running: Running): void {
  describe('the walk of the README', () => {
    it('works as it stands, line by line', async () => {
      const { stack } = running();
      const { api, inbox } = stack.addresses;
      const environment = { ...process.env, PORT: new URL(api).port, DATA_DIR: stack.dataDir };
      const walk = walkOf({ api, inbox });
      const { stdout } = await promisify(execFile)('bash', ['-c', `set -euo pipefail\n${walk}`], {
        cwd: root,
        env: environment,
      });
      const all = JSON.parse(stdout.slice(stdout.lastIndexOf('{"transaction"')));
      expect(all.transaction.phone.verified).toBe(true);
      expect(all.smsToken.status).toBe('Valid');
      expect(all.scores.map(({ reason }: { reason: string }) => reason)).toEqual([
        'Initial',
        'PhoneChecked',
        'WhatsappChecked',
      ]);
    });
  });
}
