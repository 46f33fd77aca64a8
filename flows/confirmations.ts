import { checkAllSettings, type ConfirmationSettings } from '../domain/confirmations/settings';
import type { FlowDefinition } from '../domain/flows/definition';
import { stepSettings } from '../domain/flows/step-settings';
import { emailSecondFactorFlow } from './email-2fa.flow';
import { emailTokenFlow } from './email-token.flow';
import { smsSecondFactorFlow } from './sms-2fa.flow';
import { smsTokenFlow } from './sms-token.flow';
import { templates } from './templates';
import { voiceTokenFlow } from './voice-token.flow';
import { whatsappSecondFactorFlow } from './whatsapp-2fa.flow';
import { whatsappTokenFlow } from './whatsapp-token.flow';

/**
 * The settings of a built-in confirmation: the settings of the first step of its flow. The endpoint of the confirmation, such as `POST
 * …/sms/tokens`, starts no flow run, because only outcomes come after this step.
 */
const firstStepSettings = (flow: FlowDefinition): ConfirmationSettings => stepSettings(flow, flow.start, templates);

export const smsToken = firstStepSettings(smsTokenFlow);
export const smsSecondFactor = firstStepSettings(smsSecondFactorFlow);
export const emailToken = firstStepSettings(emailTokenFlow);
export const emailSecondFactor = firstStepSettings(emailSecondFactorFlow);
export const whatsappToken = firstStepSettings(whatsappTokenFlow);
export const whatsappSecondFactor = firstStepSettings(whatsappSecondFactorFlow);

export const voiceToken = firstStepSettings(voiceTokenFlow);

/**
 * The confirmations with their own endpoints. The routes, the OpenAPI document and test/flows/conformance.test.ts use
 * this list.
 */
export const confirmations = checkAllSettings(
  smsToken,
  smsSecondFactor,
  emailToken,
  emailSecondFactor,
  whatsappToken,
  whatsappSecondFactor,
  voiceToken,
);
