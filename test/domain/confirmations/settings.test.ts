import { checkAllSettings, checkSettings, type ConfirmationSettings } from '../../../domain/confirmations/settings';
import { emailToken, smsSecondFactor, smsToken } from '../../../flows/confirmations';

const checkWithChange = (settings: ConfirmationSettings, change: Partial<ConfirmationSettings>) => () =>
  checkSettings({ ...settings, ...change });

test.each<[string, () => unknown, RegExp]>([
  ['a name with capitals', checkWithChange(smsToken, { name: 'SmsToken' }), /name must be kebab-case/],
  ['a path with a leading slash', checkWithChange(smsToken, { path: '/sms/tokens' }), /path must be lower-case words/],
  [
    'an SMS code that lives longer than ten minutes',
    checkWithChange(smsToken, { expiresAfterMs: 601_000 }),
    /expiresAfterMs must be a whole number/,
  ],
  [
    'a mail code that lives longer than a day',
    checkWithChange(emailToken, { expiresAfterMs: 86_401_000 }),
    /expiresAfterMs/,
  ],
  [
    'a question by voice',
    checkWithChange(smsSecondFactor, { channel: 'voice' }),
    /channel must not be voice for a second factor/,
  ],
  ['six messages', checkWithChange(smsToken, { sendLimit: 6 }), /sendLimit must be a whole number from 1 to 5/],
  ['no pause between messages', checkWithChange(smsToken, { resendAfterMs: 0 }), /resendAfterMs/],
  ['eleven attempts', checkWithChange(smsToken, { attemptLimit: 11 }), /attemptLimit/],
  [
    'a code of five digits',
    checkWithChange(smsToken, { codeDigits: 5 }),
    /codeDigits must be a whole number from 6 to 10/,
  ],
  ['an SMS that confirms a mailbox', checkWithChange(smsToken, { confirms: emailToken.confirms }), /confirms.fact/],
  [
    'a second factor without replies',
    checkWithChange(smsSecondFactor, { options: [] }),
    /options must have at least two/,
  ],
  [
    'an unknown placeholder',
    checkWithChange(smsToken, { message: { ...smsToken.message, en: { body: '{{code}} {{name}}' } } }),
    /message.en may only use/,
  ],
  [
    'a token without its code',
    checkWithChange(smsToken, { message: { ...smsToken.message, es: { body: 'hola' } } }),
    /message.es must contain/,
  ],
  [
    'a mail without a subject',
    checkWithChange(emailToken, { message: { ...emailToken.message, en: { body: '{{code}}' } } }),
    /message.en must have a subject/,
  ],
  [
    'two confirmations with one name',
    () => checkAllSettings(smsToken, { ...emailToken, name: 'sms-token' }),
    /Two confirmations have the name/,
  ],
  [
    'two confirmations with one path',
    () => checkAllSettings(smsToken, { ...emailToken, path: 'sms/tokens' }),
    /Two confirmations have the path/,
  ],
])('%s is rejected when the settings are loaded', (_, load, message) => {
  expect(load).toThrow(message);
});
