import {
  attemptDelivery,
  type DeliveryWorld,
  failureOf,
  newMessage,
  startDeliveryWorld,
} from '../messages/delivery-world';

let world: DeliveryWorld;
beforeAll(async () => {
  world = await startDeliveryWorld();
});
afterAll(() => world.stop());
afterEach(() => world.planFailures());

type Result =
  | 'DestinationRefused'
  | 'DestinationOptedOut'
  | 'ProviderRefused'
  | 'ProviderAccountRefused'
  | 'ProviderUnavailable';

// The texts are the titles at https://www.twilio.com/docs/api/errors/<code>.
test.each<[code: number, title: string, status: number, result: Result]>([
  [21_211, "Invalid 'To' Phone Number", 400, 'DestinationRefused'],
  [21_635, "'To' number cannot be a landline", 400, 'DestinationRefused'],
  [21_610, 'Attempt to send to unsubscribed recipient', 400, 'DestinationOptedOut'],
  [21_408, 'Permission to send an SMS has not been enabled for the region', 403, 'ProviderRefused'],
  [21_608, "The 'to' phone number provided is not yet verified for this account", 400, 'ProviderRefused'],
  [
    21_612,
    "Message cannot be sent with the current combination of 'To' and/or 'From' parameters",
    400,
    'ProviderRefused',
  ],
  [
    21_606,
    "The 'From' phone number provided is not a valid message-capable Twilio phone number",
    400,
    'ProviderRefused',
  ],
  [21_611, "This 'From' number has exceeded the maximum number of queued messages", 400, 'ProviderUnavailable'],
  [20_003, 'Permission Denied', 401, 'ProviderAccountRefused'],
  [20_404, 'Not Found', 404, 'ProviderAccountRefused'],
  [20_403, '403 Forbidden: the account has been suspended or closed', 403, 'ProviderAccountRefused'],
  [10_001, 'Account is not active', 400, 'ProviderAccountRefused'],
  [90_010, 'Account is not active', 400, 'ProviderAccountRefused'],
  [63_038, 'Account exceeded the daily messages limit', 400, 'ProviderAccountRefused'],
])('%d (%s) with the status %d: %s', async (code, _, status, result) => {
  const activities = world.openActivities();
  const message = newMessage('sms-token');
  await world.planFailures({ channel: 'sms', kind: 'status', status, code });
  const isRetried = result === 'ProviderAccountRefused' || result === 'ProviderUnavailable';
  expect(await failureOf(attemptDelivery(activities, message))).toMatchObject({
    type: result,
    final: !isRetried,
    details: { providerCode: String(code) },
  });
  // A message that is not final is sent as soon as the cause has gone, without a search for an earlier request.
  if (isRetried) await attemptDelivery(activities, message);
  expect(await world.readMessages(message.destination)).toHaveLength(isRetried ? 1 : 0);
});

test('if Twilio refuses the account while a message with an unknown outcome is searched for, the log has an error, and the message is found later', async () => {
  const message = newMessage('sms-token');
  await world.planFailures({ channel: 'sms', kind: 'acceptThenDrop' });
  await failureOf(attemptDelivery(world.openActivities(), message));
  await world.skipReconcileWait(message.sendId);
  const failure = await failureOf(attemptDelivery(world.openActivities({ authToken: 'wrong' }), message));
  expect(failure).toMatchObject({ type: 'ProviderAccountRefused', final: false, details: { providerCode: '20003' } });
  const errors = world.log
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .filter(({ level }) => level === 50);
  expect(errors.at(-1)).toMatchObject({ sendId: message.sendId, outcome: 'ProviderAccountRefused' });
  await attemptDelivery(world.openActivities(), message);
  expect(await world.readMessages(message.destination)).toHaveLength(1);
});
