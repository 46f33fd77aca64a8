import { fillText } from '../../domain/confirmations/settings';
import { languages } from '../../domain/transactions/input';
import { biometricsDecisionTexts, biometricsLinkMessages } from '../../flows/biometrics-link';
import { templates } from '../../flows/templates';
import { purposes, templateNameOf } from '../../flows/templates/purposes';
import { biometricsPath } from '../../messages/links';
import { smsSegments } from '../../messages/sending-limits';

/**
 * The longest values of the placeholders. A brand has at most 40 characters. Together with PUBLIC_URL, it has at most 48 characters in a
 * message with a link: see BRAND in docs/configuration.md.
 */
const withoutLink = { brand: 'x'.repeat(40), code: '0'.repeat(10), minutes: '1440', hours: '168' };
const link = `https://${'x'.repeat(20)}${biometricsPath('x'.repeat(43))}`;
const withLink = { brand: 'x'.repeat(20), hours: '168', link };

const templateTexts = [...templates.values()]
  .filter(({ channels }) => channels.includes('sms'))
  .flatMap(({ name, message }) =>
    languages.map((language) => [`${name} ${language}`, message[language]?.body ?? '', withoutLink] as const),
  );
const biometricsTexts = languages.flatMap((language) => [
  [`link ${language}`, biometricsLinkMessages.sms[language].body, withLink] as const,
  [`decision ${language}`, biometricsDecisionTexts.sms[language].body, withoutLink] as const,
]);

test.each([...templateTexts, ...biometricsTexts])(
  'the SMS "%s" of the service has one segment, also with the longest values',
  (_, body, values) => {
    const text = fillText(body, values);
    expect(text).not.toContain('{{');
    expect({ text, segments: smsSegments(text) }).toEqual({ text, segments: 1 });
  },
);

test('the texts of all SMS of the service are checked', () => {
  expect(templateTexts.map(([name]) => name)).toEqual(
    ['sms-token', ...purposes.map((purpose) => templateNameOf('sms-2fa', purpose))].flatMap((name) =>
      languages.map((language) => `${name} ${language}`),
    ),
  );
});
