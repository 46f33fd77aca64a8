import express, { type Request, type Response } from 'express';
import { validateRequest } from 'twilio';
import { receive } from '../http/body/read-json';
import type { Dependencies } from '../dependencies';
import { Problem } from '../http/problem';

/** Webhooks carry some 30 short fields. Unknown ones are welcome: the provider adds them without notice. */
const form = express.urlencoded({ extended: false, limit: 65_536, parameterLimit: 200 });

/** A text as the database takes it: it refuses NUL and halves of surrogate pairs, and neither means anything. */
export function storable(text: string): string {
  return text.replaceAll('\u0000', '').replace(/\p{Surrogate}/gu, '');
}

/**
 * The fields of a webhook whose signature is right. It is checked for the configured address, never for the Host
 * header: that one is the sender's to choose, and behind a proxy it is another one than the provider signed.
 */
export async function readTwilioForm(
  dependencies: Dependencies,
  request: Request,
  response: Response,
): Promise<Record<string, string>> {
  if (!request.is('application/x-www-form-urlencoded')) throw new Problem('unsupported_media_type');
  const body = (await receive(form, request, response)) as Record<string, unknown>;
  const signature = request.get('x-twilio-signature') ?? '';
  const address = `${dependencies.config.PUBLIC_URL}${request.originalUrl}`;
  if (!validateRequest(dependencies.config.TWILIO_AUTH_TOKEN, signature, address, body))
    throw new Problem('invalid_signature');
  const texts = Object.entries(body).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  return Object.fromEntries(texts.map(([name, text]) => [name, storable(text)]));
}
