import express, { type Request, type Response } from 'express';
import { validateRequest } from 'twilio';
import { runBodyParser } from '../http/body/read-json';
import type { Dependencies } from '../dependencies';
import { Problem } from '../http/problem';

/** Webhooks have about 30 short fields. The provider adds new ones without notice. */
const form = express.urlencoded({ extended: false, limit: 65_536, parameterLimit: 200 });

/** Removes NUL and halves of surrogate pairs, which Postgres cannot store. */
export function removeUnstorable(text: string): string {
  return text.replaceAll('\u0000', '').replace(/\p{Surrogate}/gu, '');
}

/**
 * The fields of a webhook with a valid signature. The signature covers PUBLIC_URL, not the Host header, which the sender can
 * choose and a proxy may change. Throws invalid_signature.
 */
export async function readTwilioForm(
  dependencies: Dependencies,
  request: Request,
  response: Response,
): Promise<Record<string, string>> {
  if (!request.is('application/x-www-form-urlencoded')) throw new Problem('unsupported_media_type');
  const body = (await runBodyParser(form, request, response)) as Record<string, unknown>;
  const signature = request.get('x-twilio-signature') ?? '';
  const url = `${dependencies.config.PUBLIC_URL}${request.originalUrl}`;
  if (!validateRequest(dependencies.config.TWILIO_AUTH_TOKEN, signature, url, body))
    throw new Problem('invalid_signature');
  const textFields = Object.entries(body).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  return Object.fromEntries(textFields.map(([name, text]) => [name, removeUnstorable(text)]));
}
