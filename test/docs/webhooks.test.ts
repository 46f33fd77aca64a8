import { once } from 'node:events';
import type http from 'node:http';
import type { AddressInfo } from 'node:net';
import { compileFunction } from 'node:vm';
import express from 'express';
import { Webhook } from 'standardwebhooks';
import { sampleEvent, sampleSecret, secretFilledWith, signWith } from '../activities/webhooks/webhook-world';
import { openGuide } from '../support/guide';

/** The example of the guide, without imports. */
const example = openGuide('webhooks.md')
  .codeBlock('verify')
  .replace(/^(import |app\.listen).*$/gm, '');

it('the example of the guide accepts a valid signature, ignores a repeat, and rejects an invalid signature', async () => {
  const run = compileFunction(`${example}; return { app, events };`, ['express', 'Webhook', 'process']) as (
    ...parameters: unknown[]
  ) => { app: { listen: (port: number, host: string) => http.Server }; events: Map<string, { type: string }> };
  const { app, events } = run(express, Webhook, { env: { WEBHOOK_SECRET: sampleSecret } });
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/countersign`;
  const body = JSON.stringify(sampleEvent);
  const post = async (secret: string) => {
    const headers = { 'content-type': 'application/json', ...signWith(secret, body) };
    return (await fetch(url, { method: 'POST', headers, body })).status;
  };
  expect(await post(sampleSecret)).toBe(204);
  expect(await post(sampleSecret)).toBe(204);
  expect(await post(secretFilledWith(2))).toBe(401);
  expect([...events]).toEqual([[sampleEvent.id, expect.objectContaining({ type: sampleEvent.type })]]);
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});
