import { z } from 'zod';
import { timeWithOffset } from '../http/body/fields';
import { named, sample } from '../http/openapi/schema-of';
import { sensitive, utcTime } from '../http/response-fields';

const sendStatus = named('LinkSendStatus', z.enum(['Sent', 'Failed']));

export const biometricsLink = named(
  'BiometricsLink',
  z.strictObject({
    id: z.uuid(),
    url: sensitive(z.url(), 'biometrics:link'),
    identifierDate: timeWithOffset,
    createdAt: utcTime,
    mfaStatus: z
      .strictObject({
        smsStatus: sendStatus.optional(),
        emailStatus: sendStatus.optional(),
        whatsappStatus: sendStatus.optional(),
      })
      .optional(),
  }),
  {
    id: sample.biometricsId,
    url: 'https://verify.example.com/biometrics/m3Yq8oVb2Rk5tNw1xCz7uJd4fHs6gLp9aEiKyTnXvQ0',
    identifierDate: '2026-01-31T12:00:00.000Z',
    createdAt: '2026-01-31T12:00:00.000Z',
    mfaStatus: { smsStatus: 'Sent' },
  },
);

const imageUrl = sensitive(z.url(), 'biometrics:images');
const urlExample = 'https://verify.example.com/images/c2lnbmVkLXRva2Vu';
const expirationDateUtc = '2026-01-31T12:05:00.000Z';

export const documentUrls = named(
  'DocumentImages',
  z.strictObject({
    documentFrontUrl: imageUrl,
    documentBackUrl: imageUrl,
    expirationDateUtc: utcTime,
  }),
  { documentFrontUrl: urlExample, documentBackUrl: urlExample, expirationDateUtc },
);

export const selfieUrl = named('SelfieImage', z.strictObject({ selfieUrl: imageUrl, expirationDateUtc: utcTime }), {
  selfieUrl: urlExample,
  expirationDateUtc,
});

export const imageErasure = named('ImageErasure', z.strictObject({ erasedAt: utcTime }), {
  erasedAt: '2026-01-31T12:00:00.000Z',
});
