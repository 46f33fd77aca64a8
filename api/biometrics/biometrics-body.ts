import { z } from 'zod';
import { named } from '../http/openapi/schema-of';
import { birthdate, date, returnUrl, timeWithOffset, text } from '../http/body/fields';

/** A date as YYYY-MM-DD. From an ISO 8601 instant, only the date is kept. */
const birthdateOrInstant = z
  .union([timeWithOffset.transform((given) => given.slice(0, 10)), date], {
    error: 'must be a real date as YYYY-MM-DD, or an ISO 8601 instant',
  })
  .pipe(birthdate);

/** The body of POST …/biometrics. All fields can be missing or null. `channels` and `returnUrl` are not in SPEC. */
export const biometricsBody = named(
  'BiometricsRequest',
  z.strictObject(
    {
      name: text(200).nullish(),
      birthdate: birthdateOrInstant.nullish(),
      identifierDate: timeWithOffset.nullish(),
      channels: z
        .array(z.enum(['sms', 'email', 'whatsapp'], 'must be sms, email or whatsapp'), 'must be a list')
        .max(3, 'must have at most 3 channels')
        .refine((given) => new Set(given).size === given.length, 'must name each channel once')
        .meta({ uniqueItems: true })
        .nullish(),
      returnUrl,
    },
    'must be an object',
  ),
).default({});

export type BiometricsBody = z.output<typeof biometricsBody>;
