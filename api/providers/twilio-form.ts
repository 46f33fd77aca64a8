import express, { type Request, type Response } from 'express';
import { validateRequest } from 'twilio';
import { runBodyParser } from '../http/body/read-json';
import type { Dependencies } from '../dependencies';
import { isForm } from '../http/body/media-type';
import { Problem } from '../http/problem';

/** The limits of a form. A form of the provider has about 30 short fields, and the provider adds new fields without notice. */
const parseForm = express.urlencoded({ type: isForm, extended: false, limit: 65_536, parameterLimit: 200 });

/** Removes NUL and halves of surrogate pairs, which Postgres cannot store. */
export function removeUnstorable(text: string): string {
  return text.replaceAll('\u0000', '').replace(/\p{Surrogate}/gu, '');
}

/** The ends of names of fields that have the id of a message or the address of a sender, with the form of their values. */
const identifyingFields = [
  { name: 'MessageSid', value: '(?:SM|MM)[0-9a-fA-F]{32}' },
  { name: 'From', value: '(?:[a-z]+:)?\\+\\d' },
];

/**
 * Whether the signed text has an id or a sender that is not the value of its own field. A person could write such a text as a reply, capture
 * the request of the provider, and divide the signed text into other fields: into a reply of another sender, or with another id.
 */
function hidesId(fields: readonly [string, unknown][], signedText: string): boolean {
  return identifyingFields.some(({ name, value }) => {
    const inText = signedText.match(new RegExp(`${name}${value}`, 'g')) ?? [];
    const pattern = new RegExp(`^${value}`);
    return inText.length > fields.filter((field) => field[0].endsWith(name) && pattern.test(String(field[1]))).length;
  });
}

/**
 * Returns the errors of a form by field. The signature covers names and values without separators: `Body=Sim` and `BodyS=im` have the same
 * signature. So somebody could move characters from a value to a name. To prevent this, all required fields must have their exact names,
 * no field may be sent twice, and no optional field, no id and no sender may be hidden in another field.
 */
function formErrors(
  form: Record<string, unknown>,
  required: readonly string[],
  optional: readonly string[],
): Record<string, string[]> {
  const fields = Object.entries(form);
  const doubled = fields.filter(([, value]) => typeof value !== 'string').map(([name]) => [name, ['is sent twice']]);
  // All field names of the provider match this pattern. Any other name may have been the end of a text, such as the reply of a person,
  // before somebody turned it into a field name.
  const unknown = fields.filter(([name]) => !/^[A-Z][A-Za-z0-9]*$/.test(name));
  const misnamed = unknown.length > 0 ? [['form', ['has a field that the provider does not send']]] : [];
  const missing = required.filter((name) => form[name] === undefined).map((name) => [name, ['is required']]);
  const signedText = fields
    .toSorted(([left], [right]) => (left < right ? -1 : 1))
    .map(([name, value]) => `${name}${String(value)}`)
    .join('');
  const hiddenId = hidesId(fields, signedText)
    ? [['form', ['has an id or a sender that is not a field of its own']]]
    : [];
  const hidden = optional
    .filter((name) => form[name] === undefined && signedText.includes(name))
    .map((name) => [name, ['must be a field of its own']]);
  return Object.fromEntries([...doubled, ...misnamed, ...hiddenId, ...missing, ...hidden]) as Record<string, string[]>;
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
  const errors = formErrors(form, required, optional);
  if (Object.keys(errors).length > 0) throw new Problem('validation_failed', { errors });
  const names = [...required, ...optional].filter((name) => form[name] !== undefined);
  return Object.fromEntries(names.map((name) => [name, removeUnstorable(String(form[name]))])) as Awaited<
    ReturnType<typeof readTwilioForm<Required, Optional>>
  >;
}
