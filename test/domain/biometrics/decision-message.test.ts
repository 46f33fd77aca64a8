import { addMs } from '../../../domain/transactions/limits';
import type { Biometrics, BiometricsProposal, LinkSend } from '../../../domain/biometrics/biometrics';
import {
  announcesMessage,
  decisionMessages,
  defineDecisionTexts,
  fillLinkMessages,
} from '../../../domain/biometrics/messages';
import { applyLinkDelivery, createLink } from '../../../domain/biometrics/link';
import { countSegments } from '../../../dev/inbox/twilio/segments';
import { languages } from '../../../domain/transactions/input';
import { biometricsDecisionTexts } from '../../../flows/biometrics-link';
import { buildState } from '../../support/build';

const state = buildState();
const decisionTexts = fillLinkMessages(biometricsDecisionTexts, { brand: 'Acme', hours: 24 });
const decision = { status: 'Rejected', by: 'reviewer-1', reason: 'blurred', at: state.createdAt } as const;

function buildLink(change: Partial<BiometricsProposal>, ...failedChannels: LinkSend['channel'][]): Biometrics {
  const startResult = createLink(
    state,
    {
      biometricsId: 'a',
      tokenHash: 'hash',
      expiresAfterMs: 86_400_000,
      language: 'en',
      channels: ['sms', 'email'],
      messages: {},
      allowedDialCodes: ['55'],
      imageDays: 90,
      decisionTexts,
      ...change,
    },
    state.createdAt,
  );
  if ('error' in startResult) throw new Error(startResult.error.type);
  const finalState = failedChannels.reduce(
    (current, channel) => applyLinkDelivery(current, `a.${channel}`, { status: 'failed' }) ?? current,
    startResult.state,
  );
  const link = finalState.biometrics?.at(-1);
  if (!link) throw new Error('There is no link.');
  return link;
}

test('after the decision, the person gets one message on each channel on which the link was sent', () => {
  const link = buildLink({});
  const expiresAt = addMs(decision.at, 3_600_000);
  expect(announcesMessage(link)).toBe(true);
  expect(decisionMessages(link)).toEqual([]);
  expect(decisionMessages({ ...link, decision })).toEqual([
    {
      sendId: 'a.decided-sms',
      channel: 'sms',
      expiresAt,
      message: { body: 'Acme: your identity check is finished. We will contact you.' },
    },
    { sendId: 'a.decided-email', channel: 'email', expiresAt, message: decisionTexts.email.en },
  ]);
});

test('the message after the decision is not sent on a channel on which the link did not arrive', () => {
  const link = buildLink({}, 'sms');
  expect(decisionMessages({ ...link, decision }).map(({ channel }) => channel)).toEqual(['email']);
  expect(announcesMessage(buildLink({}, 'sms', 'email'))).toBe(false);
});

test.each<[string, Partial<BiometricsProposal>]>([
  ['a link that the caller sends', { channels: [] }],
  ['a link without texts', { decisionTexts: {} }],
  ['a channel without a destination', { channels: ['sms'], allowedDialCodes: [] }],
])('for %s, the page announces no message after the decision, and no message is sent', (_, change) => {
  const link = buildLink(change);
  expect(announcesMessage(link)).toBe(false);
  expect(decisionMessages({ ...link, decision })).toEqual([]);
  expect(link).not.toHaveProperty('decisionTexts');
});

test.each(languages)(
  'the texts after a decision in %s have the brand but not the result, and fit into one SMS',
  (language) => {
    for (const channel of ['sms', 'whatsapp', 'email'] as const) {
      const { subject = '', body } = decisionTexts[channel][language];
      expect(body).toContain('Acme');
      expect(`${subject}${body}`).not.toMatch(/\{\{|approv|reject|aprov|reprov|rejeit|rechaz|recus/i);
    }
    expect(countSegments(decisionTexts.sms[language].body)).toBe(1);
  },
);

test('texts with a placeholder other than {{brand}}, and mails without a subject, are rejected when they are loaded', () => {
  const changeText = (channel: 'sms' | 'email', body: string) => ({
    ...biometricsDecisionTexts,
    [channel]: { ...biometricsDecisionTexts[channel], en: { body } },
  });
  expect(() => defineDecisionTexts(changeText('sms', 'at {{link}} now'))).toThrow(/sms\.en may only use \{\{brand\}\}/);
  expect(() => defineDecisionTexts(changeText('email', 'hello'))).toThrow(/email\.en must have a subject/);
});
