import { z } from 'zod';
import type { ContentTemplate } from '../content';
import { newSid } from '../message';
import { paginate } from './paginate';
import { TwilioProblem } from './twilio-problem';

// The limits are those of WhatsApp.
const contentSchema = z.object({
  friendly_name: z.string().max(128).optional(),
  language: z.string().min(2),
  variables: z.record(z.string(), z.string()).default({}),
  types: z
    .strictObject({
      'twilio/text': z.object({ body: z.string().min(1).max(1_600) }).optional(),
      'twilio/quick-reply': z
        .object({
          body: z.string().min(1).max(1_024),
          actions: z
            .array(z.object({ title: z.string().min(1).max(20), id: z.string().min(1).max(200) }))
            .min(1)
            .max(10),
        })
        .optional(),
      'whatsapp/authentication': z
        .strictObject({
          add_security_recommendation: z.boolean().default(true),
          code_expiration_minutes: z.int().min(1).max(90).optional(),
          actions: z
            .array(z.strictObject({ type: z.literal('COPY_CODE'), copy_code_text: z.string().min(1).max(24) }))
            .length(1),
        })
        .optional(),
    })
    .refine((types) => Object.keys(types).length > 0, 'At least one type is required'),
});

/** Reads a template from the body of a create request. Throws TwilioProblem. */
export function readContentRequest(body: unknown): ContentTemplate {
  const parsed = contentSchema.safeParse(body);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new TwilioProblem(400, 20001, `${issue?.path.join('.')}: ${issue?.message}`);
  }
  const { friendly_name: friendlyName = null, language, variables, types } = parsed.data;
  return { sid: newSid('HX'), friendlyName, language, variables, types, createdAt: new Date().toISOString() };
}

/** A template in the format of the Content API. */
export function toContentResource(content: ContentTemplate, accountSid: string, origin: string) {
  const url = `${origin}/v1/Content/${content.sid}`;
  const date = content.createdAt.replace(/\.\d+/, '');
  return {
    account_sid: accountSid,
    date_created: date,
    date_updated: date,
    friendly_name: content.friendlyName,
    language: content.language,
    links: {
      approval_create: `${url}/ApprovalRequests/whatsapp`,
      approval_fetch: `${url}/ApprovalRequests`,
    },
    sid: content.sid,
    types: content.types,
    url,
    variables: content.variables,
  };
}

/** A page of the templates, oldest first. `path`: of the list. `toResource`: the format of one template. */
export function listContents<Resource>(
  contents: ContentTemplate[],
  query: Record<string, unknown>,
  path: string,
  toResource: (content: ContentTemplate) => Resource,
) {
  const page = paginate(contents, query, ({ sid }) => sid);
  const urlOf = (number: number, token?: string): string => {
    const parameters = new URLSearchParams({ PageSize: String(page.size), Page: String(number) });
    if (token !== undefined) parameters.set('PageToken', token);
    return `${path}?${parameters.toString()}`;
  };
  const { previousToken, nextToken } = page;
  return {
    contents: page.items.map(toResource),
    meta: {
      first_page_url: urlOf(0),
      key: 'contents',
      next_page_url: nextToken === undefined ? null : urlOf(page.number + 1, nextToken),
      page: page.number,
      page_size: page.size,
      previous_page_url: previousToken === undefined ? null : urlOf(Math.max(0, page.number - 1), previousToken),
      url: urlOf(page.number, typeof query['PageToken'] === 'string' ? query['PageToken'] : undefined),
    },
  };
}
