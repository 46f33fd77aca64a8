import type { Template, Templates } from '../../domain/flows/template';
import { emailSecondFactorTemplate } from './email-2fa';
import { emailTokenTemplate } from './email-token';
import { smsSecondFactorTemplate } from './sms-2fa';
import { smsTokenTemplate } from './sms-token';
import { whatsappSecondFactorTemplate } from './whatsapp-2fa';

const all: readonly Template[] = [
  smsTokenTemplate,
  smsSecondFactorTemplate,
  emailTokenTemplate,
  emailSecondFactorTemplate,
  whatsappSecondFactorTemplate,
];

/** The texts that flows may name. */
export const templates: Templates = new Map(all.map((template) => [template.name, template]));
