import { defineFlows } from '../domain/flow';
import { emailSecondFactor } from './email-2fa.flow';
import { emailToken } from './email-token.flow';
import { smsSecondFactor } from './sms-2fa.flow';
import { smsToken } from './sms-token.flow';
import { whatsappSecondFactor } from './whatsapp-2fa.flow';

/** The flows that the service offers. Routes, documents and the conformance suite follow this list. */
export const flows = defineFlows(smsToken, smsSecondFactor, emailToken, emailSecondFactor, whatsappSecondFactor);
