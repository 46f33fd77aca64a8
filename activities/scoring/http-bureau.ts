import { z } from 'zod';
import { relevances, dataKinds } from '../../domain/scoring/results';
import { bureauCodePattern } from '../../domain/scoring/policy';
import { unsafeCharacterIssue } from '../../domain/text';
import type { Bureau, BureauPerson } from '../../scoring/gather-evidence';
import { type FindingsProvider, type MissingAnswer, requestFindings } from '../http-requests';

/** Why there are no findings. `status`: the HTTP status is not 200. */
export type BureauFailureReason = MissingAnswer | 'status';

/** Maximum number of findings: an analyst would not read more about one person. A response with more findings is invalid. */
const findingsMax = 50;

/** A sentence without unsafe characters, such as control characters. */
const sentenceSchema = z
  .string()
  .min(1)
  .max(300)
  .refine((text) => unsafeCharacterIssue(text) === undefined);

const responseSchema = z.object({
  findings: z
    .array(
      z.object({
        code: z.string().regex(bureauCodePattern),
        text: z.union([
          sentenceSchema.transform((text) => ({ 'pt-BR': text, en: text, es: text })),
          z.object({ 'pt-BR': sentenceSchema, en: sentenceSchema, es: sentenceSchema }),
        ]),
        relevance: z.enum(relevances),
        relatedTo: z
          .array(z.enum(dataKinds))
          .min(1)
          .max(dataKinds.length)
          .refine((related) => new Set(related).size === related.length),
      }),
    )
    .max(findingsMax),
});

/** Copies exactly the fields of `BureauPerson`, because nothing else may leave the service. */
function pickPersonFields(person: BureauPerson): BureauPerson {
  const { documentType, document, name, birthdate, mothersName, email, phone, address } = person;
  const fields = { documentType, document, name, birthdate, mothersName, email, phone, address };
  return fields as BureauPerson;
}

/**
 * A bureau over HTTP: POST {person}, expects 200 and {findings: [{code, text, relevance, relatedTo}]}. Without a valid response,
 * `fetchFindings` returns undefined and calls `onFailure` with the reason. It throws only when the activity is canceled.
 */
export function createHttpBureau(
  settings: FindingsProvider & { onFailure: (reason: BureauFailureReason) => void },
): Bureau {
  return {
    fetchFindings: async (person) => {
      const body = JSON.stringify({ person: pickPersonFields(person) });
      const result = await requestFindings(settings, body, responseSchema);
      if ('answer' in result) return result.answer.findings;
      settings.onFailure(result.failure);
      return undefined;
    },
  };
}
