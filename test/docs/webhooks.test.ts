import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type http from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { compileFunction } from 'node:vm';
import express from 'express';
import { Webhook } from 'standardwebhooks';
import { event, openNotifier, secret, secretOf } from '../activities/webhooks/webhook-world';

const guide = readFileSync(path.join(__dirname, '..', '..', 'docs', 'webhooks.md'), 'utf8');

/** The example of the guide, without its imports. */
function exampleOf(): string {
  const [, code = ''] = /<!-- verify -->\n```js\n([\s\S]*?)```/.exec(guide) ?? [];
  return code.replace(/^import .*\n/gm, '');
}

it('the example of the guide takes what is signed, knows a repeat by its id and refuses the rest', async () => {
  const kept = new Map<string, { type: string }>();
  const run = compileFunction(`${exampleOf()}; return app;`, ['express', 'Webhook', 'process', 'keepOnce']) as (
    ...given: unknown[]
  ) => http.RequestListener & { listen: (port: number, host: string) => http.Server };
  const keepOnce = async (id: string, told: { type: string }) => void kept.set(id, told);
  const server = run(express, Webhook, { env: { WEBHOOK_SECRET: secret } }, keepOnce).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/countersign`;
  const { notifyCaller } = openNotifier({ acme: { url, secret }, other: { url, secret: secretOf(2) } });
  expect(await notifyCaller(event)).toEqual({ delivered: true });
  expect(await notifyCaller(event)).toEqual({ delivered: true });
  expect(await notifyCaller({ ...event, tenant: 'other' })).toEqual({ delivered: false, reason: 'Refused' });
  expect([...kept]).toEqual([[event.id, expect.objectContaining({ type: event.type })]]);
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});
