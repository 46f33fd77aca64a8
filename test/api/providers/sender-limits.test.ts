import { once } from 'node:events';
import { connect } from 'node:net';
import { getExpectedTwilioSignature } from 'twilio/lib/webhooks/webhooks';
import { startPostgres, type TestPostgres } from '../../support/postgres';
import { ApiWorld, publicUrl, twilioAuthToken } from '../api-world';
import { createMessageSid, phoneNumber } from './twilio-world';

let postgres: TestPostgres;
let world: ApiWorld;
beforeAll(async () => {
  postgres = await startPostgres();
  const settings = { ADDRESS_RATE_LIMIT_PER_SECOND: '1', TRUST_PROXY: 'loopback' };
  world = await ApiWorld.open({ DATABASE_URL: await postgres.createDatabase(), ...settings });
});
afterAll(async () => {
  await world.close();
  await postgres.stop();
});

const path = '/webhooks/twilio/inbound';

/** Sends a request of the provider from an IP address, and returns the status of its answer. */
async function send(address: string, isSigned: boolean): Promise<number> {
  const form = { MessageSid: createMessageSid(), From: phoneNumber, Body: 'SIM' };
  const signature = getExpectedTwilioSignature(isSigned ? twilioAuthToken : 'wrong', `${publicUrl}${path}`, form);
  const response = await world.post(path, {
    token: null,
    rawBody: new URLSearchParams(form).toString(),
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'x-twilio-signature': signature,
      'x-forwarded-for': address,
    },
  });
  return response.status;
}

/** Sends wrong signatures until the limit of the address is used up. */
async function useUp(address: string): Promise<void> {
  const statuses: number[] = [];
  while (statuses.length < 11) statuses.push(await send(address, false));
  expect(statuses).toEqual([...Array<number>(10).fill(403), 429]);
}

test('when an address has used up its limit with wrong signatures, it gets 429 before its body is read', async () => {
  await useUp('192.0.2.1');
  const { port, hostname } = new URL(world.address);
  const socket = connect(Number(port), hostname);
  // The body of 1,000 bytes never arrives.
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: 192.0.2.1\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 1000\r\n\r\n`,
  );
  const [answer] = (await once(socket, 'data')) as [Buffer];
  socket.destroy();
  expect(answer.toString()).toMatch(/^HTTP\/1\.1 429 /);
});

test('wrong signatures never stop an address that has sent a valid one, nor any other address', async () => {
  expect(await send('192.0.2.2', true)).toBe(200);
  await useUp('192.0.2.2');
  expect([await send('192.0.2.2', true), await send('192.0.2.2', false)]).toEqual([200, 429]);
  expect(await send('192.0.2.3', true)).toBe(200);
});
