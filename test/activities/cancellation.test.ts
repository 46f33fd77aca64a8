import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { createHttpFaceVerifier } from '../../activities/biometrics/verify-faces';
import { createHttpBureau } from '../../activities/scoring/http-bureau';
import { createPostWebhook } from '../../activities/webhooks/post-webhook';
import { newActivity } from '../support/new-activity';
import { type DeliveryWorld, newMessage, startDeliveryWorld } from './messages/delivery-world';

/** Accepts every connection and never sends anything. */
let silentServer: Server;
let address: string;
let world: DeliveryWorld;

beforeAll(async () => {
  silentServer = createServer((socket) => void socket.on('error', () => undefined).resume()).listen(0, '127.0.0.1');
  await once(silentServer, 'listening');
  address = `127.0.0.1:${(silentServer.address() as AddressInfo).port}`;
  world = await startDeliveryWorld();
});
afterAll(async () => {
  await world.stop();
  silentServer.close();
});

const timeoutMs = 60_000;
const image = Buffer.from('image');
const deliver = (settingsName: string) => {
  const { deliverMessage } = world.openActivities({ twilioUrl: `http://${address}`, smtpUrl: `smtp://${address}` });
  return deliverMessage(newMessage(settingsName));
};

it.each<[string, () => Promise<unknown>]>([
  ['Twilio', () => deliver('sms-token')],
  ['Twilio for a new template', () => deliver('whatsapp-2fa')],
  ['a mail server', () => deliver('email-token')],
  [
    'a face verifier',
    () =>
      createHttpFaceVerifier({ url: `http://${address}`, timeoutMs }).verify({ selfie: image, documentFront: image }),
  ],
  ['a webhook', () => createPostWebhook({ publicOnly: false, timeoutMs })(`http://${address}/`, {}, '{}')],
  [
    'a bureau',
    () =>
      createHttpBureau({ url: `http://${address}`, timeoutMs, onFailure: () => undefined }).fetchFindings({
        documentType: 'CPF',
        document: '52998224725',
      }),
  ],
])('a request to %s ends when its activity is canceled', async (_, sendRequest) => {
  const activity = newActivity();
  const connectionPromise = once(silentServer, 'connection') as Promise<[Socket]>;
  const requestEnd = activity.run(sendRequest).then(
    () => undefined,
    () => undefined,
  );
  const [socket] = await connectionPromise;
  const socketClose = once(socket, 'close');
  const canceledAt = Date.now();
  activity.cancel('WORKER_SHUTDOWN');
  await Promise.all([requestEnd, socketClose]);
  // Without the cancellation, a request to Twilio would end after 2.5 s, and a request to a mail server after 2 s.
  expect(Date.now() - canceledAt).toBeLessThan(1_900);
});

const errors: string[] = [];
it.each<[string, () => Promise<unknown>]>([
  [
    'a bureau',
    () =>
      createHttpBureau({
        url: `http://${address}`,
        timeoutMs,
        onFailure: (error) => void errors.push(error),
      }).fetchFindings({ documentType: 'CPF', document: '52998224725' }),
  ],
  [
    'a face verifier',
    () =>
      createHttpFaceVerifier({ url: `http://${address}`, timeoutMs }).verify({ selfie: image, documentFront: image }),
  ],
])('the cancellation of a request to %s does not count as a failure of it', async (_, sendRequest) => {
  const activity = newActivity();
  const request = activity.run(sendRequest);
  activity.cancel('WORKER_SHUTDOWN');
  await expect(request).rejects.toMatchObject({ name: 'CancelledFailure' });
  expect(errors).toEqual([]);
});
