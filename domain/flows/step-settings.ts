import { checkSettings, type ConfirmationSettings, fillText, type MessageText } from '../confirmations/settings';
import { type ConfirmStep, type FlowDefinition, FlowError, type Templates } from './definition';
import { inEachLanguage, type RunValues, sampleValues, shownValues } from './flow-values';

/** The settings that are the same for all confirmations with one channel and one kind of prompt. */
type ConfirmationIdentity = Pick<ConfirmationSettings, 'name' | 'path' | 'confirms'>;

/** The built-in confirmations, by channel and prompt. Each confirmation of a flow has the name of one of them. */
const confirmationIdentities: Readonly<Record<string, ConfirmationIdentity>> = {
  'sms token': { name: 'sms-token', path: 'sms/tokens', confirms: { fact: 'phone', scoreReason: 'PhoneChecked' } },
  'sms reply': { name: 'sms-2fa', path: 'sms/2fa', confirms: { fact: 'phone', scoreReason: 'PhoneChecked' } },
  'voice token': {
    name: 'voice-token',
    path: 'voice/tokens',
    confirms: { fact: 'phone', scoreReason: 'PhoneChecked' },
  },
  'email token': {
    name: 'email-token',
    path: 'emails/tokens',
    confirms: { fact: 'email', scoreReason: 'EmailChecked' },
  },
  'email reply': { name: 'email-2fa', path: 'emails/2fa', confirms: { fact: 'email', scoreReason: 'EmailChecked' } },
  'whatsapp token': {
    name: 'whatsapp-token',
    path: 'whatsapps/tokens',
    confirms: { fact: 'phone', scoreReason: 'WhatsappChecked' },
  },
  'whatsapp reply': {
    name: 'whatsapp-2fa',
    path: 'whatsapps/2fa',
    confirms: { fact: 'phone', scoreReason: 'WhatsappChecked' },
  },
};

/** The built-in confirmation to which a confirm step belongs. Undefined for a question by voice. */
export function builtInConfirmationFor({
  channel,
  ask,
}: Pick<ConfirmStep, 'channel' | 'ask'>): ConfirmationIdentity | undefined {
  return confirmationIdentities[`${channel} ${ask}`];
}

/**
 * The confirmation settings of a confirm step. `values`: those of the flow run, which its texts show. Throws FlowError or SettingsError if
 * the step is invalid.
 */
export function stepSettings(
  flow: Pick<FlowDefinition, 'name' | 'steps' | 'values'>,
  stepName: string,
  templates: Templates,
  values: RunValues = sampleValues(flow.values),
): ConfirmationSettings {
  const step = flow.steps[stepName];
  if (step?.kind !== 'confirm') throw new FlowError(`${flow.name}/${stepName} is not a confirm step.`);
  const identity = builtInConfirmationFor(step);
  if (!identity) throw new FlowError(`${flow.name}/${stepName}: a ${step.ask} cannot be sent by ${step.channel}.`);
  const template = step.template === undefined ? undefined : templates.get(step.template);
  const message = step.message ?? template?.message;
  if (!message) throw new FlowError(`${flow.name}/${stepName} has no text.`);
  const options = step.options ?? template?.options;
  return checkSettings({
    name: identity.name,
    channel: step.channel,
    kind: step.ask === 'token' ? 'token' : 'secondFactor',
    path: identity.path,
    expiresAfterMs: step.expiresAfterSeconds * 1_000,
    sendLimit: step.sendLimit,
    resendAfterMs: step.resendAfterSeconds * 1_000,
    ...(step.ask === 'token'
      ? { attemptLimit: step.attemptLimit, codeDigits: step.codeDigits, resend: step.resend }
      : { options: options ?? [] }),
    message: inEachLanguage((language) => withValues(message[language], values.texts[language])),
    ...(flow.values === undefined ? {} : { values: shownValues(flow.values, values) }),
    confirms: identity.confirms,
  } as ConfirmationSettings);
}

const withValues = ({ subject, body }: MessageText, texts: Readonly<Record<string, string>>): MessageText => ({
  ...(subject === undefined ? {} : { subject: fillText(subject, texts) }),
  body: fillText(body, texts),
});
