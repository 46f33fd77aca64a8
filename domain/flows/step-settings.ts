import { checkSettings, type ConfirmationSettings } from '../confirmation-settings';
import type { ConfirmStep, FlowDefinition } from './definition';
import { FlowError } from './flow-error';
import type { Templates } from './template';

/** The settings that are the same for all confirmations with one channel and one kind of prompt. */
type ConfirmationIdentity = Pick<ConfirmationSettings, 'name' | 'path' | 'confirms'>;

/** The five built-in confirmations, by channel and prompt. Each confirmation of a flow has the name of one of these five. */
const confirmationIdentities: Readonly<Record<string, ConfirmationIdentity>> = {
  'sms token': { name: 'sms-token', path: 'sms/tokens', confirms: { fact: 'phone', scoreReason: 'PhoneChecked' } },
  'sms reply': { name: 'sms-2fa', path: 'sms/2fa', confirms: { fact: 'phone', scoreReason: 'PhoneChecked' } },
  'email token': {
    name: 'email-token',
    path: 'emails/tokens',
    confirms: { fact: 'email', scoreReason: 'EmailChecked' },
  },
  'email reply': { name: 'email-2fa', path: 'emails/2fa', confirms: { fact: 'email', scoreReason: 'EmailChecked' } },
  'whatsapp reply': {
    name: 'whatsapp-2fa',
    path: 'whatsapps/2fa',
    confirms: { fact: 'phone', scoreReason: 'WhatsappChecked' },
  },
};

/** The built-in confirmation to which a confirm step belongs. Undefined for a code on WhatsApp. */
export function builtInConfirmationFor({
  channel,
  ask,
}: Pick<ConfirmStep, 'channel' | 'ask'>): ConfirmationIdentity | undefined {
  return confirmationIdentities[`${channel} ${ask}`];
}

/** The confirmation settings of a confirm step. Throws FlowError or SettingsError if the step is invalid. */
export function stepSettings(
  flow: Pick<FlowDefinition, 'name' | 'steps'>,
  stepName: string,
  templates: Templates,
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
    message,
    confirms: identity.confirms,
  } as ConfirmationSettings);
}
