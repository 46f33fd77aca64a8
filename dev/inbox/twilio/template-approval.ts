import { z } from 'zod';
import type { ContentTemplate, TemplateApproval } from '../content';
import { TwilioProblem } from './twilio-problem';

// The rules are those of WhatsApp.
const approvalSchema = z.object({
  name: z
    .string()
    .max(512)
    .regex(/^[a-z0-9_]+$/, 'Only lowercase letters, digits and underscores are allowed'),
  category: z.enum(['UTILITY', 'MARKETING', 'AUTHENTICATION']),
});

/** Decides on a template at once, as planned. `others`: the templates of the account. Throws TwilioProblem. */
export function decideOnTemplate(
  template: ContentTemplate,
  body: unknown,
  { others, isRejected }: { others: readonly ContentTemplate[]; isRejected: boolean },
): TemplateApproval {
  const parsed = approvalSchema.safeParse(body);
  if (!parsed.success) throw new TwilioProblem(400, 20001, String(parsed.error.issues[0]?.message));
  if (template.approval) throw new TwilioProblem(400, 20001, 'The template was already submitted');
  const { name, category } = parsed.data;
  const isCode = template.types['whatsapp/authentication'] !== undefined;
  const isTaken = others.some(({ approval, language }) => approval?.name === name && language === template.language);
  const rejectionReason =
    isRejected || isCode !== (category === 'AUTHENTICATION') ? 'INVALID_FORMAT' : isTaken ? 'NAME_EXISTS' : '';
  return { name, category, status: rejectionReason === '' ? 'approved' : 'rejected', rejectionReason };
}

/** An approval in the format of the Content API. */
export function toApprovalResource({ approval, types }: ContentTemplate) {
  const { name = '', category = '', status = 'unsubmitted', rejectionReason = '' } = approval ?? {};
  return {
    name,
    category,
    content_type: Object.keys(types)[0],
    status,
    rejection_reason: rejectionReason,
    allow_category_change: true,
  };
}
