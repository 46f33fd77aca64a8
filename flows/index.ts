import type { FlowDefinition } from '../domain/flows/definition';
import { emailSecondFactorFlow } from './email-2fa.flow';
import { emailTokenFlow } from './email-token.flow';
import { smsSecondFactorFlow } from './sms-2fa.flow';
import { smsTokenFlow } from './sms-token.flow';
import { voiceTokenFlow } from './voice-token.flow';
import { whatsappSecondFactorFlow } from './whatsapp-2fa.flow';
import { whatsappTokenFlow } from './whatsapp-token.flow';

/** The flows that are deployed with the code, for every tenant. */
export const flows: readonly FlowDefinition[] = [
  smsTokenFlow,
  smsSecondFactorFlow,
  emailTokenFlow,
  emailSecondFactorFlow,
  whatsappTokenFlow,
  whatsappSecondFactorFlow,
  voiceTokenFlow,
];
