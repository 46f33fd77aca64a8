import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openGuide } from '../../support/guide';
import { submitImages } from '../support/biometrics-link';
import { isShownOutput, openGuideShell, readCommandBlocks } from '../support/guide-commands';
import { type GetTestStack, root } from '../support/test-stack';

interface Guide {
  /** The output of all commands, as one text, must match each pattern. */
  prints: readonly RegExp[];
  /** Saves the files that the guide shows. */
  saveFiles?: (folder: string) => void;
  /** What the person does after the first block. `output`: the output of this block. */
  afterFirstBlock?: (output: string) => Promise<void>;
  /** Requests whose error the guide shows. */
  failedRequests?: readonly RegExp[];
}

const flowGuide = openGuide('flows.md');

/** Every guide with commands. readme.suite.ts tests the README. */
const guides: Readonly<Record<string, Guide>> = {
  'api.md': { prints: [/"access_token":"/] },
  'biometrics.md': {
    prints: [/\/biometrics\//, /"status":"Approved"/, /^200 image\/jpeg/m, /images_erased/, /client secret:/],
    afterFirstBlock: (output) => submitImages(/"url":"([^"]+)"/.exec(output)?.[1] ?? ''),
    failedRequests: [/^410 GET /],
  },
  'client.md': { prints: [/added 1 package/] },
  'embedding.md': { prints: [/return URL http:\/\/localhost:8080\//, /"url":"[^"]+\/code\//] },
  'flows.md': {
    prints: [
      /6 steps/,
      /ended as Confirmed/,
      /0 failed/,
      /"activatedBy":"local"/,
      /"outcome":"Confirmed"/,
      /flow_run\.notified/,
    ],
    saveFiles: (folder) => {
      writeFileSync(join(folder, 'sign-up.json'), flowGuide.codeBlock('sample'));
      writeFileSync(join(folder, 'sign-up.scenarios.yaml'), flowGuide.codeBlock('scenarios'));
    },
  },
  'keys.md': { prints: [/client secret:/, /is changed/, /is revoked/] },
  'runbooks.md': { prints: [/active/, /"blocks":\[/] },
  'scoring.md': { prints: [/AUC/] },
  'status-and-events.md': { prints: [/"transactions":\[/, /"sequence":1,/, /^event: transaction\.created/m] },
  'test-mode.md': { prints: [/^Valid$/m] },
  'webhooks.md': { prints: [/"secret":"whsec_/, /^\[/m] },
};

/** A folder like a reader's clone, with links to the repository and to the data of the running stack. */
function createReaderFolder(dataDir: string): string {
  const folder = join(mkdtempSync(join(tmpdir(), 'countersign-reader-')), 'countersign');
  mkdirSync(folder);
  for (const entry of readdirSync(root))
    if (!['.data', '.git', '.cache'].includes(entry)) symlinkSync(join(root, entry), join(folder, entry));
  symlinkSync(dataDir, join(folder, '.data'));
  return folder;
}

/** Runs the commands as a reader does after `npm start`. */
export function describeGuides(getTestStack: GetTestStack): void {
  describe('the commands of the guides', () => {
    afterAll(async () => {
      const { api, inbox } = getTestStack();
      await fetch(`${inbox.address}/api/faults`, { method: 'DELETE' });
      const { webhooks } = (await api.get('/v1/webhooks')).body as { webhooks: { id: string; url: string }[] };
      for (const { id, url } of webhooks.filter(({ url }) => url.includes('example.com')))
        expect([url, (await api.request('DELETE', `/v1/webhooks/${id}`)).status]).toEqual([url, 204]);
    });

    it('every guide that has commands is tested', () => {
      const files = readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md'));
      const filesWithCommands = files.filter((name) => readCommandBlocks(`docs/${name}`).length > 0);
      expect(filesWithCommands.toSorted()).toEqual(Object.keys(guides));
    });

    it.each(Object.entries(guides))(
      'the commands in %s work as written',
      async (file, guide) => {
        const { prints, saveFiles, afterFirstBlock, failedRequests = [] } = guide;
        const { addresses, dataDir } = getTestStack().stack;
        const folder = createReaderFolder(dataDir);
        // The guide has the default ports.
        const withPorts = (text: string) =>
          text.replaceAll('http://127.0.0.1:3000', addresses.api).replaceAll('http://127.0.0.1:3001', addresses.inbox);
        const shell = openGuideShell(folder, { PORT: new URL(addresses.api).port, DATA_DIR: dataDir });
        saveFiles?.(folder);
        try {
          let printed = '';
          for (const [index, { commands, shownOutput }] of readCommandBlocks(`docs/${file}`).entries()) {
            const output = await shell.run(withPorts(commands));
            if (shownOutput && !isShownOutput(shownOutput, output)) expect(output).toBe(shownOutput);
            if (index === 0) await afterFirstBlock?.(output);
            printed += `${output}\n`;
          }
          expect(prints.filter((pattern) => !pattern.test(printed))).toEqual([]);
          const failures = shell.failedRequests();
          expect(failures.filter((line) => !failedRequests.some((pattern) => pattern.test(line)))).toEqual([]);
          expect(failures).toHaveLength(failedRequests.length);
        } finally {
          shell.stop();
          rmSync(join(folder, '..'), { recursive: true, force: true });
        }
      },
      180_000,
    );
  });
}
