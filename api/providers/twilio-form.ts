import express, { type Request, type Response } from 'express';
import { validateRequest } from 'twilio';
import { isForm, runBodyParser } from '../http/body/read-json';
import type { Dependencies } from '../dependencies';
import { Problem } from '../http/problem';
import { signedFieldErrors } from './signed-fields';

/** The limits of a form. A form of the provider has about 30 short fields, and the provider adds new fields without notice. */
const parseForm = express.urlencoded({ type: isForm, extended: false, limit: 65_536, parameterLimit: 200 });

/** Removes NUL and halves of surrogate pairs, which Postgres cannot store. */
export function removeUnstorable(text: string): string {
  return text.replaceAll('\u0000', '').replace(/\p{Surrogate}/gu, '');
}

/**
 * Returns the required and optional fields of a request with a valid signature. Ignores other fields. The signature is checked with
 * PUBLIC_URL. The Host header is not used, because the sender can choose it and a proxy may change it. Throws invalid_signature and
 * validation_failed.
 */
export async function readTwilioForm<Required extends string, Optional extends string>(
  dependencies: Dependencies,
  request: Request,
  response: Response,
  { required, optional }: { required: readonly Required[]; optional: readonly Optional[] },
): Promise<Record<Required, string> & Partial<Record<Optional, string>>> {
  if (!isForm(request)) throw new Problem('unsupported_media_type');
  const form = (await runBodyParser(parseForm, request, response)) as Record<string, unknown>;
  const signature = request.get('x-twilio-signature') ?? '';
  const url = `${dependencies.config.PUBLIC_URL}${request.originalUrl}`;
  if (!validateRequest(dependencies.config.TWILIO_AUTH_TOKEN, signature, url, form))
    throw new Problem('invalid_signature');
  const errors = signedFieldErrors(form, required, optional);
  if (Object.keys(errors).length > 0) throw new Problem('validation_failed', { errors });
  const names = [...required, ...optional].filter((name) => form[name] !== undefined);
  return Object.fromEntries(names.map((name) => [name, removeUnstorable(String(form[name]))])) as Awaited<
    ReturnType<typeof readTwilioForm<Required, Optional>>
  >;
}
