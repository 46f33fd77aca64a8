import express, { type Request, type RequestHandler, type Response } from 'express';
import type { z } from 'zod';
import { Problem } from '../problem';
import { fieldErrors } from './field-errors';
import { isUtf8Json } from './media-type';
import { parseJson } from './parse-json';
import { textIssues } from './text-issues';

/**
 * Default maximum size of a JSON body. It is the limit of a flow (`flowLimits.definitionBytes`). Larger than any other body whose fields are
 * within their limits, in any script, except the body of POST /v1/transaction.
 */
export const bodyBytesMax = 64 * 1024;

/** Limits of a JSON body. If a limit is absent, its default applies. */
export interface BodyLimits {
  bytes?: number;
  /** Maximum number of fields and list items, in all levels together. */
  fields?: number;
  /** Whether texts may have unsafe characters, because the schema removes them. Names of fields may not. */
  anyCharacters?: boolean;
}

const decoder = new TextDecoder('utf-8', { fatal: true });

/** Runs an Express body parser and returns the body. Throws body_too_large, unsupported_media_type and malformed_json. */
export async function runBodyParser(
  bodyParser: RequestHandler,
  request: Request,
  response: Response,
): Promise<unknown> {
  try {
    await new Promise<void>((resolve, reject) => {
      void bodyParser(request, response, (error?: unknown) => (error ? reject(error) : resolve()));
    });
  } catch (error) {
    const { status, limit } = error as { status?: number; limit?: number };
    if (status === 413)
      throw new Problem('body_too_large', limit ? { detail: `Send at most ${Math.floor(limit / 1024)} KiB.` } : {});
    if (status === 415) throw new Problem('unsupported_media_type');
    throw new Problem('malformed_json');
  }
  return request.body;
}

function decodeUtf8(bytes: Buffer): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw new Problem('malformed_json', { detail: 'The body is not in UTF-8. Send one JSON object in UTF-8.' });
  }
}

/**
 * Checks a value against a strict schema. Throws unknown_field if all errors are about unknown fields, and otherwise validation_failed.
 * Both have all errors.
 */
function validate<Schema extends z.ZodType>(schema: Schema, value: unknown, anyCharacters = false): z.output<Schema> {
  const unsafeTexts = textIssues(value, { anyCharacters });
  const parsed = schema.safeParse(value);
  if (parsed.success && Object.keys(unsafeTexts).length === 0) return parsed.data;
  const { errors, onlyUnknownFields } = fieldErrors(parsed.error?.issues ?? [], value, unsafeTexts);
  throw new Problem(onlyUnknownFields ? 'unknown_field' : 'validation_failed', { errors });
}

/** Reads and validates the JSON body of a request. An empty body counts as {}. */
export async function readJson<Schema extends z.ZodType>(
  schema: Schema,
  request: Request,
  response: Response,
  { bytes: bytesMax = bodyBytesMax, fields: fieldsMax, anyCharacters }: BodyLimits = {},
): Promise<z.output<Schema>> {
  const parser = express.raw({ type: () => true, limit: bytesMax, inflate: false });
  const bytes = await runBodyParser(parser, request, response);
  if (!Buffer.isBuffer(bytes) || bytes.length === 0) return validate(schema, {});
  if (!isUtf8Json(request)) throw new Problem('unsupported_media_type');
  return validate(schema, parseJson(decodeUtf8(bytes), fieldsMax), anyCharacters);
}
