import { cancellationSignal } from '@temporalio/activity';
import { z } from 'zod';
import { relevances, dataKinds } from '../../domain/scoring/results';
import { bureauCodePattern } from '../../domain/scoring/policy';
import type { BureauFinding } from '../../domain/scoring/evidence';
import type { TransactionInput } from '../../domain/transaction/input';
import { unsafeCharacterIssue } from '../../domain/text';
import { deadline, readWithLimit } from '../http-requests';

/** The part of a transaction that leaves the service. */
export type BureauPerson = Pick<
  TransactionInput,
  'documentType' | 'document' | 'name' | 'birthdate' | 'mothersName' | 'email' | 'phone' | 'address'
>;

/** An external source of findings about a person. Each finding has a code. */
export interface Bureau {
  /** Undefined if there is no valid response in time. Fails only when the activity is canceled. */
  fetchFindings(person: BureauPerson): Promise<BureauFinding[] | undefined>;
}

/**
 * Why there are no findings. `timeout`: no complete response in time. `unreachable`: no connection, or a broken connection. `status`: the
 * HTTP status is not 200. `invalid`: an invalid body. `size`: a body that is too long.
 */
export type BureauFailureReason = 'timeout' | 'unreachable' | 'status' | 'invalid' | 'size';

/** Maximum size of a response. Fifty findings in three languages take less than half of this size. */
const bytesMax = 64 * 1024;
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

function parseFindings(body: Buffer): BureauFinding[] | 'invalid' {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(body);
    return responseSchema.parse(JSON.parse(text)).findings;
  } catch {
    return 'invalid';
  }
}

/**
 * A bureau over HTTP: POST {person}, expects 200 and {findings: [{code, text, relevance, relatedTo}]}. `timeoutMs` limits the
 * whole request, including the last byte of the response. Redirects are not followed. Without a valid response, `fetchFindings` returns
 * undefined and calls `onFailure` with the reason. It throws only when the activity is canceled.
 */
export function createHttpBureau(settings: {
  url: string;
  token?: string;
  timeoutMs: number;
  onFailure: (reason: BureauFailureReason) => void;
}): Bureau {
  const { url, token, timeoutMs, onFailure } = settings;
  const requestFindings = async (person: BureauPerson): Promise<BureauFinding[] | BureauFailureReason> => {
    const signal = deadline(timeoutMs);
    try {
      const response = await fetch(url, {
        method: 'POST',
        // Redirects are not followed: personal data goes only to the address in the settings.
        redirect: 'manual',
        headers: { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) },
        body: JSON.stringify({ person: pickPersonFields(person) }),
        signal,
      });
      if (response.status !== 200) {
        await response.body?.cancel();
        return 'status';
      }
      const body = await readWithLimit(response.body, bytesMax);
      return body ? parseFindings(body) : 'size';
    } catch {
      // Without this line, a canceled activity would save a score without the findings of the bureau.
      cancellationSignal().throwIfAborted();
      return signal.aborted ? 'timeout' : 'unreachable';
    }
  };
  return {
    fetchFindings: async (person) => {
      const result = await requestFindings(person);
      if (typeof result !== 'string') return result;
      onFailure(result);
      return undefined;
    },
  };
}
