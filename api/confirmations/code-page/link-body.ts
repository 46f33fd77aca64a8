import { z } from 'zod';
import { returnUrl } from '../../http/body/fields';
import { named } from '../../http/openapi/schema-of';

/** The body of POST …/tokens/link. */
export const linkBody = named('CodePageRequest', z.strictObject({ returnUrl }, 'must be an object')).default({});

export type LinkBody = z.output<typeof linkBody>;
