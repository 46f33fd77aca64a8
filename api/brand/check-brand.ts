import { z } from 'zod';
import { tenantBrand } from '../../domain/brand/brand';
import { paletteOf } from '../../domain/brand/colors';
import { fillText, formatMinutes } from '../../domain/confirmations/settings';
import { smsToken } from '../../flows/confirmations';
import { smsAlphabet, smsSegments } from '../../messages/sending-limits';
import { withBrand } from '../confirmations/send-confirmation';
import { named } from '../http/openapi/schema-of';
import { type ApiRoute, type Handler, withBody } from '../http/route';
import { headers } from './brand';
import { type BrandBody, brandBody, brandExample, settingsOf } from './brand-body';

const schemeColors = z.strictObject({ strong: z.string(), onStrong: z.string(), strongSoft: z.string() });

/** What persons will see of a brand. */
const brandPreview = named(
  'BrandPreview',
  z.strictObject({
    colors: z
      .strictObject({ light: schemeColors, dark: schemeColors })
      .optional()
      .describe('`strong`: links and buttons. `onStrong`: the text on buttons. `strongSoft`: a background'),
    smsTexts: z.array(
      z.strictObject({
        language: z.enum(['pt-BR', 'en', 'es']),
        text: z.string().describe('The SMS with a code, with a code of the usual length'),
        segments: z.int().describe('Each segment is billed as one message'),
        alphabet: z
          .enum(['gsm', 'unicode'])
          .describe('`unicode`: a character is not in the GSM alphabet, so a segment has 70 characters instead of 160'),
      }),
    ),
  }),
  {
    colors: {
      light: { strong: '#1a4f8a', onStrong: '#ffffff', strongSoft: '#e8edf3' },
      dark: { strong: '#5f84ad', onStrong: '#000000', strongSoft: '#242f3c' },
    },
    smsTexts: [
      {
        language: 'en',
        text: 'Acme: your code is 481516. It is good for 10 min. Do not tell it to anyone who calls you.\n@login.acme.example #481516',
        segments: 1,
        alphabet: 'gsm',
      },
    ],
  },
);

const sampleDigits = '4815162342';

/** POST /v1/brand/check: checks a brand by the same rules as PUT, and returns what persons will see. Saves nothing. */
export const checkBrand: Handler<'config' | 'confirmationSettings' | 'sendingLimits', BrandBody> = async (call) => {
  const settings = settingsOf(call);
  const { config, confirmationSettings } = call.dependencies;
  const confirmation = confirmationSettings.get(smsToken.name) ?? smsToken;
  const { message } = withBrand(confirmation, tenantBrand(settings, undefined, config.PUBLIC_URL));
  const values = {
    code: sampleDigits.slice(0, confirmation.codeDigits),
    minutes: formatMinutes(confirmation.expiresAfterMs),
  };
  const smsTexts = settings.languages.map((language) => {
    const text = fillText(message[language].body, values);
    return { language, text, segments: smsSegments(text), alphabet: smsAlphabet(text) };
  });
  const colors = settings.colors ? { colors: paletteOf(settings.colors) } : {};
  return { status: 200, headers, body: { ...colors, smsTexts } };
};

/** The check of a brand before it is saved; not in SPEC. */
export const checkBrandRoutes: readonly ApiRoute[] = [
  withBody({
    operationId: 'checkBrand',
    method: 'post',
    path: '/v1/brand/check',
    scope: 'brand:read',
    summary: 'Check a brand, and get its colors and SMS texts. Nothing is saved',
    body: () => brandBody,
    example: brandExample,
    responses: { 200: brandPreview },
    handler: checkBrand,
  }),
];
