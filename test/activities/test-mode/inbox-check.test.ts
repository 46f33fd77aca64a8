import { createUsesLocalInbox } from '../../../activities/test-mode/test-channels';
import { readMessaging } from '../../../messages/read-messaging';

const local = {
  COUNTERSIGN_ENV: 'local',
  TWILIO_ACCOUNT_SID: 'AC0',
  TWILIO_AUTH_TOKEN: 'x',
  TWILIO_SMS_FROM: '+1',
  TWILIO_WHATSAPP_FROM: '+1',
  SMTP_FROM: 'a@example.com',
  TWILIO_BASE_URL: 'http://127.0.0.1:3001',
  SMTP_URL: 'smtp://127.0.0.1:3025',
} as const;

/** The last value: whether SMS, WhatsApp and e-mail go to a local inbox. */
test.each([
  ['the local stack', local, [true, true, true]],
  [
    'homologation with a provider on the same machine',
    { ...local, COUNTERSIGN_ENV: 'homologation' },
    [false, false, false],
  ],
  ['Twilio', { ...local, TWILIO_BASE_URL: undefined }, [false, false, true]],
  ['another API of Twilio', { ...local, TWILIO_BASE_URL: 'https://twilio.example.com' }, [false, false, true]],
  ['another mail server', { ...local, SMTP_URL: 'smtps://mail.example.com' }, [true, true, false]],
] as const)(
  'a channel counts as local only in the environment `local`, and only if its messages go to this machine: %s',
  (_, config, expected) => {
    const isLocal = createUsesLocalInbox(config, readMessaging(config));
    expect((['sms', 'whatsapp', 'email'] as const).map(isLocal)).toEqual(expected);
  },
);
