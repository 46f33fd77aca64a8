import { getExpectedTwilioSignature } from 'twilio/lib/webhooks/webhooks';
import { gateways } from '../../../messages/gateways';
import { gatewayReportPath } from '../../../messages/links';
import { problemShape, publicUrl } from '../api-world';
import { createMessageSid, type SavedSend, TwilioWorld } from './twilio-world';

/* The tenants `local`, to which all messages here belong, and `globex` have accounts of their own. */

const tokens: Record<string, string> = { local: 'token-of-local', globex: 'token-of-globex' };

let world: TwilioWorld;
beforeAll(async () => {
  world = await TwilioWorld.open();
  world.api.dependencies.ownProvidersOf = async (tenant) => ({
    twilio: { kind: 'twilio', accountSid: 'AC0', authToken: tokens[tenant] ?? '' },
    vonage: { kind: 'gateway', gateway: gateways['vonage-sms'], values: {} },
  });
});
afterAll(() => world.close());

const readSend = async ({ sendId }: SavedSend) =>
  (
    await world.pool.query('select provider_id as id, provider_status as status from sends where send_id = $1', [
      sendId,
    ])
  ).rows[0] as unknown;

/** Sends a status as the account with this token does. `tenant`: whom the address names. */
function report({ sendId }: SavedSend, tenant: string, token: string | undefined, sid = createMessageSid()) {
  const path = `/webhooks/twilio/status/${encodeURIComponent(sendId)}?tenant=${tenant}`;
  const form = { MessageSid: sid, MessageStatus: 'delivered' };
  return world.sendTwilioRequest(path, form, getExpectedTwilioSignature(token ?? '', `${publicUrl}${path}`, form));
}

test('the account of a tenant reports about messages of the tenant', async () => {
  const send = await world.saveSend('sms', 'token');
  const sid = createMessageSid();
  expect((await report(send, 'local', tokens['local'], sid)).status).toBe(204);
  expect(await readSend(send)).toEqual({ id: `own/local/${sid}`, status: 'delivered' });
});

test.each([
  ['another tenant, about this message', 'globex', tokens['globex']],
  ['another tenant, in the name of this one', 'local', tokens['globex']],
  ['nobody, without a token', 'unknown', ''],
])('a report of %s gets 403', async (_, tenant, token) => {
  const send = await world.saveSend('sms', 'token');
  expect((await report(send, tenant, token)).body).toEqual(problemShape('invalid_signature', 403));
  expect(await readSend(send)).toMatchObject({ status: null });
});

test('replies are not accepted from the account of a tenant', async () => {
  const path = '/webhooks/twilio/inbound?tenant=local';
  const form = { MessageSid: createMessageSid(), From: '+5511987654321', Body: 'STOP' };
  const signature = getExpectedTwilioSignature(tokens['local'] ?? '', `${publicUrl}${path}`, form);
  expect((await world.sendTwilioRequest(path, form, signature)).body).toEqual(problemShape('invalid_signature', 403));
});

test('a gateway of a tenant reports about its message', async () => {
  const send = await world.saveSend('sms', 'token');
  const target = { provider: 'own/vonage', sendId: send.sendId, tenant: 'local' };
  const body = { messageId: '7', status: 'delivered' };
  const path = gatewayReportPath(world.api.dependencies.keys, target);
  expect((await world.api.post(path, { token: null, body })).status).toBe(204);
  expect(await readSend(send)).toEqual({ id: 'own/local/7', status: 'delivered' });
});
