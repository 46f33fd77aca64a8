import type { Template, Templates } from '../../domain/flows/definition';
import { emailSecondFactorTemplate } from './email-2fa';
import { emailTokenTemplate } from './email-token';
import { purposes } from './purposes';
import { signerEmailTemplate } from './signer-email';
import { smsSecondFactorTemplate } from './sms-2fa';
import { smsTokenTemplate } from './sms-token';
import { voiceTokenTemplate } from './voice-token';
import { whatsappSecondFactorTemplate } from './whatsapp-2fa';
import { whatsappTokenTemplate } from './whatsapp-token';

const templateList: readonly Template[] = [
  smsTokenTemplate,
  ...purposes.map(smsSecondFactorTemplate),
  emailTokenTemplate,
  ...purposes.map(emailSecondFactorTemplate),
  whatsappTokenTemplate,
  ...purposes.map(whatsappSecondFactorTemplate),
  voiceTokenTemplate,
  signerEmailTemplate,
];

/** The templates that flows can use by name. */
export const templates: Templates = new Map(templateList.map((template) => [template.name, template]));
