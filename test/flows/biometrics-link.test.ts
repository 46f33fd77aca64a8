import { countSegments } from '../../dev/inbox/twilio/segments';
import { defineLinkMessages, fillLinkMessages, type BiometricsTexts } from '../../domain/biometrics/messages';
import { checkSettings, type MessageText, type TextChannel } from '../../domain/confirmations/settings';
import { languages } from '../../domain/transactions/input';
import { biometricsLinkMessages } from '../../flows/biometrics-link';
import { smsToken } from '../../flows/confirmations';

const changeText = (channel: TextChannel, en: MessageText): BiometricsTexts => ({
  ...biometricsLinkMessages,
  [channel]: { ...biometricsLinkMessages[channel], en },
});

test.each<[string, TextChannel, MessageText, RegExp]>([
  ['an unknown placeholder', 'sms', { body: '{{name}} {{link}}' }, /sms\.en may only use/],
  ['a code', 'whatsapp', { body: '{{code}} at {{link}} now' }, /whatsapp\.en may only use/],
  ['an unknown placeholder in a subject', 'email', { subject: 'Hi {{name}}', body: 'x' }, /email\.en may only use/],
  ['an SMS without the link', 'sms', { body: 'hello' }, /sms\.en must contain \{\{link\}\} once/],
  ['an SMS with the link twice', 'sms', { body: '{{link}} {{link}}' }, /sms\.en must contain \{\{link\}\} once/],
  ['a full stop behind the link', 'sms', { body: 'at {{link}}.' }, /sms\.en must have spaces around/],
  ['a bracket before the link', 'whatsapp', { body: 'at ({{link}} now' }, /whatsapp\.en must have spaces around/],
  ['a WhatsApp text that ends with the link', 'whatsapp', { body: 'at {{link}}\n' }, /whatsapp\.en must not end with/],
  ['an e-mail without a subject', 'email', { body: 'hello' }, /email\.en must have a subject/],
  ['a link in a subject', 'email', { subject: '{{link}}', body: 'hello' }, /must not have \{\{link\}\} in its subject/],
])('%s is rejected when the texts are loaded', (_, channel, text, message) => {
  expect(() => defineLinkMessages(changeText(channel, text))).toThrow(message);
});

test.each(['{{link}}', '{{hours}}'])('the text of a confirmation must not use %s', (placeholder) => {
  const message = { ...smsToken.message, en: { body: `{{code}} ${placeholder}` } };
  expect(() => checkSettings({ ...smsToken, message })).toThrow(/message\.en may only use/);
});

test('an SMS may end with the link, and the text of an e-mail needs no link', () => {
  expect(() => defineLinkMessages(changeText('sms', { body: 'at {{link}}' }))).not.toThrow();
  expect(() => defineLinkMessages(changeText('email', { subject: 'Hi', body: 'hello' }))).not.toThrow();
});

describe('filled texts', () => {
  const filledTexts = fillLinkMessages(biometricsLinkMessages, { brand: 'Countersign', hours: 24 });

  test.each(languages)('in %s, filled texts contain no placeholder except {{link}}', (language) => {
    for (const channel of ['sms', 'whatsapp', 'email'] as const) {
      const { subject = '', body } = filledTexts[channel][language];
      expect(`${subject}${body}`.replace('{{link}}', '')).not.toContain('{{');
      expect(`${subject}${body}`).toContain('24 h');
      if (channel !== 'email') expect(body).toContain('Countersign');
    }
    expect(filledTexts.email[language].subject).toContain('Countersign');
  });

  test('filled texts contain values as they are, and nothing inside the values is replaced', () => {
    const texts = fillLinkMessages(biometricsLinkMessages, { brand: "$& {{hours}} $'", hours: 1 });
    expect(texts.sms.en.body).toBe("$& {{hours}} $': confirm your identity with pictures at {{link}} Open for 1 h.");
  });

  test.each(languages)('in %s, the filled SMS text with a link of 86 characters fits one SMS', (language) => {
    const link = `https://identity.example.com.br/biometrics/${'x'.repeat(43)}`;
    expect(link).toHaveLength(86);
    expect(countSegments(filledTexts.sms[language].body.replace('{{link}}', link))).toBe(1);
  });
});
