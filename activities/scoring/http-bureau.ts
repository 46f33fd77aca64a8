import { cancellationSignal } from '@temporalio/activity';
import { z } from 'zod';
import { relevances, variables } from '../../domain/analysis';
import { bureauCode } from '../../domain/scoring/bureau-code';
import type { BureauFinding } from '../../domain/scoring/evidence';
import type { Bureau, BureauPerson } from './bureau';
import { deadline } from '../deadline';
import { readCapped } from '../read-capped';

/** Why there are no findings. Nothing of the person and nothing that the bureau wrote is in it. */
export type BureauError = 'timeout' | 'refused' | 'status' | 'form' | 'size';

/** Fifty findings in three languages take less than half of it. */
const bytesMax = 64 * 1024;
/** More than an analyst reads of one person. */
const findingsMax = 50;

/**
 * A sentence: findings are kept with the transaction in every language. Controls and halves of characters cannot be
 * kept in Postgres, and marks that turn the direction of text make it read as something else.
 */
const sentence = z
  .string()
  .min(1)
  .max(300)
  .refine((text) => !/[\p{Cc}\p{Cs}\u200e\u200f\u202a-\u202e\u2066-\u2069]/u.test(text));

const answer = z.object({
  findings: z
    .array(
      z.object({
        code: z.string().regex(bureauCode),
        text: z.union([
          sentence.transform((text) => ({ 'pt-BR': text, en: text, es: text })),
          z.object({ 'pt-BR': sentence, en: sentence, es: sentence }),
        ]),
        relevance: z.enum(relevances),
        relatedTo: z
          .array(z.enum(variables))
          .min(1)
          .max(variables.length)
          .refine((related) => new Set(related).size === related.length),
      }),
    )
    .max(findingsMax),
});

/** Picked by name, whatever else the caller's object holds: this is the border of the house. */
function leaving(person: BureauPerson): BureauPerson {
  const { documentType, document, name, birthdate, mothersName, email, phone, address } = person;
  const known = { documentType, document, name, birthdate, mothersName, email, phone, address };
  return known as BureauPerson;
}

function findingsIn(body: Buffer): BureauFinding[] | 'form' {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(body);
    return answer.parse(JSON.parse(text)).findings;
  } catch {
    return 'form';
  }
}

/**
 * A bureau behind one address: POST {person}, answered by 200 and {findings: [{code, text, relevance, relatedTo}]}.
 * `timeoutMs` is for the whole exchange, the last byte of the answer included; redirects are not followed. Whatever else
 * happens gives undefined, and one word of it to `onFailure`. Throws only when the activity is cancelled.
 */
export function createHttpBureau(settings: {
  url: string;
  token?: string;
  timeoutMs: number;
  onFailure: (fault: BureauError) => void;
}): Bureau {
  const { url, token, timeoutMs, onFailure } = settings;
  const ask = async (person: BureauPerson): Promise<BureauFinding[] | BureauError> => {
    const signal = deadline(timeoutMs);
    try {
      const response = await fetch(url, {
        method: 'POST',
        // A person's data goes where the operator said, and to nobody whom that place names.
        redirect: 'manual',
        headers: { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) },
        body: JSON.stringify({ person: leaving(person) }),
        signal,
      });
      if (response.status !== 200) {
        await response.body?.cancel();
        return 'status';
      }
      const body = await readCapped(response.body, bytesMax);
      return body ? findingsIn(body) : 'size';
    } catch {
      // Otherwise an attempt that was cut short would keep a score without the bureau.
      cancellationSignal().throwIfAborted();
      return signal.aborted ? 'timeout' : 'refused';
    }
  };
  return {
    findings: async (person) => {
      const found = await ask(person);
      if (typeof found !== 'string') return found;
      onFailure(found);
      return undefined;
    },
  };
}
