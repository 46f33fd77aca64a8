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
  const lines: string[] = [];
  supervised = new SupervisedProcess(component, dataDir, (line) => void lines.push(line));
  await supervised.start();
  canPrepare = false;
  const { pid = 0 } = supervised;
  process.kill(pid, 'SIGKILL');
  await waitUntil(() => lines.length >= 4);
  const log = join(dataDir, 'log', 'api.log');
  expect(lines.slice(0, 4)).toEqual([
    `api exited (SIGKILL). Restart in 0 ms. See ${log}`,
    `api exited (the disk is full). Restart in 250 ms. See ${log}`,
    `api exited (the disk is full). Restart in 500 ms. See ${log}`,
    `api exited (the disk is full). Restart in 1000 ms. See ${log}`,
  ]);
  canPrepare = true;
  await waitUntil(() => supervised.pid !== undefined && supervised.pid !== pid);
});
