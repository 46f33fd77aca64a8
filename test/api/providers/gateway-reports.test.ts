import { gateways } from '../../../messages/gateways';
import { gatewayReportPath } from '../../../messages/links';
import { problemShape } from '../api-world';
import { type SavedSend, TwilioWorld } from './twilio-world';

let world: TwilioWorld;
beforeAll(async () => {
  world = await TwilioWorld.open();
  world.api.dependencies.providers = {
    infobip: { kind: 'gateway', gateway: gateways['infobip-sms'], values: {} },
    vonage: { kind: 'gateway', gateway: gateways['vonage-sms'], values: {} },
  };
});
afterAll(() => world.close());

const pathOf = ({ sendId }: SavedSend, provider: string) =>
  gatewayReportPath(world.api.dependencies.keys, { provider, sendId });

const infobipReport = (messageId: string, groupName: string, error = 0) => ({
  results: [{ messageId, status: { groupName }, error: { id: error } }],
});

const readSend = async ({ sendId }: SavedSend) =>
  (
    await world.pool.query(
      'select state, provider_id as id, provider_status as status, provider_code as code from sends where send_id = $1',
      [sendId],
    )
  ).rows[0] as unknown;

test('a report at the address of a message sets the status of this message, and proves that the gateway has it', async () => {
  const send = await world.saveSend('sms', 'token');
  const body = infobipReport('its-own-id', 'DELIVERED');
  expect((await world.api.post(pathOf(send, 'infobip'), { token: null, body })).status).toBe(204);
  expect(await readSend(send)).toMatchObject({ state: 'accepted', id: 'its-own-id', status: 'delivered' });
});

test('a report that a message did not arrive reaches its transaction', async () => {
  const send = await world.saveSend('sms');
  const body = { messageId: 'm1', status: 'failed', 'err-code': '1' };
  expect((await world.api.post(pathOf(send, 'vonage'), { token: null, body })).status).toBe(204);
  await world.waitUntilProcessed();
  expect(world.transactions.reportedDeliveryStatuses).toContainEqual({
    sendId: send.sendId,
    status: 'failed',
    code: '1',
  });
  expect(await readSend(send)).toMatchObject({ status: 'failed', code: '1' });
});

test('a report as a form is read too', async () => {
  const send = await world.saveSend('sms', 'token');
  const rawBody = new URLSearchParams({ messageId: 'm2', status: 'delivered' }).toString();
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  expect((await world.api.post(pathOf(send, 'vonage'), { token: null, rawBody, headers })).status).toBe(204);
  expect(await readSend(send)).toMatchObject({ status: 'delivered' });
});

test('a status that the declaration does not know, and an empty report, change nothing', async () => {
  const send = await world.saveSend('sms', 'token');
  for (const body of [infobipReport('m3', 'SOMETHING_NEW'), {}])
    expect((await world.api.post(pathOf(send, 'infobip'), { token: null, body })).status).toBe(204);
  expect(await readSend(send)).toMatchObject({ state: 'dispatching', status: null });
});

test.each<[string, (send: SavedSend) => string]>([
  ['a changed token', (send) => `${pathOf(send, 'infobip').slice(0, -2)}xx`],
  ['no token', () => '/webhooks/gateways/x'],
  ['a gateway that is no longer in the settings', (send) => pathOf(send, 'removed')],
])('a report at an address with %s gets 403', async (_, pathFor) => {
  const send = await world.saveSend('sms', 'token');
  const response = await world.api.post(pathFor(send), { token: null, body: infobipReport('m4', 'DELIVERED') });
  expect(response.body).toEqual(problemShape('invalid_signature', 403));
  expect(await readSend(send)).toMatchObject({ status: null });
});

test('a report that is neither JSON nor a form gets 415', async () => {
  const send = await world.saveSend('sms', 'token');
  const headers = { 'content-type': 'text/xml' };
  const response = await world.api.post(pathOf(send, 'infobip'), { token: null, rawBody: '<x/>', headers });
  expect(response.body).toEqual(problemShape('unsupported_media_type', 415));
});
