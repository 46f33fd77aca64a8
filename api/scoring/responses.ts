import { z } from 'zod';
import { dataKinds, relevances } from '../../domain/scoring/results';
import { named, utcTime } from '../http/openapi/schema-of';

export const dataKind = named('DataKind', z.enum(dataKinds));

export const reason = named(
  'ScoreReason',
  z.enum(['Initial', 'PhoneChecked', 'EmailChecked', 'WhatsappChecked', 'BiometricsChecked', 'Denied', 'Reassessed']),
);

export const relevance = named('Relevance', z.enum(relevances));

export const createdAt = '2026-01-31T12:00:00.000Z';

export const score = named('Score', z.strictObject({ value: z.number(), reason, createdAt: utcTime }), {
  value: 58,
  reason: 'Initial',
  createdAt,
});

export const rating = named(
  'Rating',
  z.strictObject({
    value: z.int().min(0).max(5),
    reason,
    createdAt: utcTime,
    relatedTo: z.array(dataKind).length(2),
  }),
  { value: 4, reason: 'Initial', createdAt, relatedTo: ['Document', 'Phone'] },
);

export const insight = named(
  'Insight',
  z.strictObject({
    code: z.string(),
    description: z.string(),
    type: z.string(),
    category: z.string(),
    relevance,
    relatedTo: z.array(dataKind),
  }),
  {
    code: 'PH001',
    description: 'The area code of the phone belongs to the state of the postal code.',
    type: 'Phone-ZipCode',
    category: 'Cadastro',
    relevance: 'Positivo',
    relatedTo: ['Phone', 'ZipCode'],
  },
);
