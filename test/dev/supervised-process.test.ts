import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Component } from '../../dev/stack/component';
import { makeDataFolder } from '../../dev/stack/data-folder';
import { SupervisedProcess } from '../../dev/stack/supervised-process';
import { waitUntil } from '../support/wait-until';

let dataDir: string;
let supervised: SupervisedProcess;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'countersign-supervised-'));
  makeDataFolder(dataDir);
});
afterEach(async () => {
  await supervised.stop();
  rmSync(dataDir, { recursive: true });
});

test('when a process that was ready cannot be started again, each pause is longer than the one before', async () => {
  let canPrepare = true;
  const component: Component = {
    name: 'api',
    prepare: async () => {
      if (!canPrepare) throw new Error('the disk is full');
    },
    command: () => ({ file: process.execPath, args: ['-e', 'setInterval(() => {}, 1000)'], environment: {} }),
    isReady: async () => true,
    stopSignal: 'SIGTERM',
    stopWithinMs: 1_000,
  };
  const exits: { failures: number; restartInMs: number }[] = [];
  supervised = new SupervisedProcess(
    component,
    dataDir,
    ({ failures, restartInMs }) => void exits.push({ failures, restartInMs }),
  );
  supervised.start();
  await waitUntil(() => supervised.isReady);
  canPrepare = false;
  process.kill(supervised.pid ?? 0, 'SIGKILL');
  await waitUntil(() => exits.length >= 4);
  expect(exits.slice(0, 4)).toEqual([
    { failures: 0, restartInMs: 0 },
    { failures: 1, restartInMs: 250 },
    { failures: 2, restartInMs: 500 },
    { failures: 3, restartInMs: 1_000 },
  ]);
  canPrepare = true;
  await waitUntil(() => supervised.isReady);
  expect(supervised.failuresInARow).toBe(0);
});
