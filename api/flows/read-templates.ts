import { templates } from '../../flows/templates';
import type { Handler } from '../http/route';

/** GET /v1/flows/templates: the reviewed texts that a `confirm` step can use by name. */
export const readTemplates: Handler = async () => {
  const list = [...templates.values()].map(({ options = [], ...template }) => ({
    ...template,
    replies: options.map(({ name, label }) => ({ name, label })),
  }));
  return { status: 200, body: { templates: list } };
};
