import express, { type Request, type RequestHandler, type Response } from 'express';
import type { IncomingMessage } from 'node:http';
import { parse } from 'content-type';
import { unsafeCharacterIssue } from '../../../domain/text';
import { printParseErrorCode, visit } from 'jsonc-parser';
import { Problem } from '../problem';
import { fieldErrors, forbiddenNames, nameLengthMax } from './fields';
import type { z } from 'zod';
import { createHash } from 'node:crypto';

/**
 * Whether the Content-Type of a request is JSON in UTF-8. A missing `charset` means UTF-8 (RFC 8259), and all other parameters are allowed
 * (RFC 9110, 8.3.1).
 */
export function isUtf8Json(request: Request): boolean {
  const { type, parameters } = parse(request.get('content-type') ?? '');
  return type === 'application/json' && /^utf-?8$/i.test(parameters['charset'] ?? 'utf-8');
}

/** Whether the Content-Type of a request is a form, such as the form of a page. Its parameters do not matter. */
export const isForm = (request: Pick<IncomingMessage, 'headers'>): boolean =>
  parse(request.headers['content-type'] ?? '').type === 'application/x-www-form-urlencoded';

/**
 * Returns the issues of all field names and texts in a parsed body, by path. Line feeds are no issue here: the schema `text` rejects them
 * in texts that must have one line. `forbidden`: names that no field may have. `anyCharacters`: whether only names are checked.
 */
export function textIssues(
  body: unknown,
  {
    forbidden = forbiddenNames,
    anyCharacters = false,
  }: { forbidden?: ReadonlySet<string>; anyCharacters?: boolean } = {},
): Record<string, string[]> {
  const issues = Object.create(null) as Record<string, string[]>;
  const visit = (value: unknown, path: readonly string[]): void => {
    const pathText = path.join('.') || 'body';
    if (typeof value === 'string' && !anyCharacters) {
      const issue = unsafeCharacterIssue(value, { lineFeed: true });
      if (issue) issues[pathText] = [issue];
    }
    if (typeof value !== 'object' || value === null) return;
    for (const [name, part] of Object.entries(value)) {
      const issue = unsafeCharacterIssue(name);
      if (issue) issues[pathText] = [`has a field name that ${issue}`];
      else if (forbidden.has(name)) issues[pathText] = [`must not have a field named ${name}`];
      else visit(part, [...path, name]);
    }
  };
  visit(body, []);
  return issues;
}

/**
 * The maximum number of levels (`depthMax`), and the default maximum number of fields and list items (`fieldsMaxDefault`). Except for
 * flows, all documented bodies have at most 4 levels and about 110 fields.
 */
const depthMax = 8;

const fieldsMaxDefault = 200;

/** A position in a text. Line and column start at 1, as in editors. */
export interface TextPosition {
  line: number;
  column: number;
}

/** Invalid JSON, with the position of the error. */
export class InvalidJson extends Problem {
  constructor(
    code: 'malformed_json' | 'duplicate_field',
    readonly position: TextPosition,
    /** What is wrong at the position, in one sentence. */
    readonly reason: string,
    { fix, ...extras }: { fix: string; errors?: Record<string, string[]> },
  ) {
    super(code, { detail: `Line ${position.line}, column ${position.column}: ${reason} ${fix}`, ...extras });
  }
}

/** The parser's error code in words: `CommaExpected` becomes "Comma expected". */
const messageOf = (code: Parameters<typeof printParseErrorCode>[0]) =>
  printParseErrorCode(code).replace(/(?!^)[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

/**
 * Parses a JSON body. For a syntax error or a repeated field, throws InvalidJson with the position. The error has no text of the body,
 * except the name of a repeated field. (`JSON.parse` alone would keep the last of repeated fields.) Throws body_too_deep and
 * too_many_fields.
 */
export function parseJson(text: string, fieldsMax = fieldsMaxDefault): unknown {
  /** The field names of each open object. The outermost object comes first. An open list has an empty set. */
  const namesByLevel: Set<string>[] = [];
  let values = 0;
  // The body itself is a value, and so is every field and every list item.
  const countValue = () => {
    values += 1;
    if (values > fieldsMax + 1)
      throw new Problem('too_many_fields', { detail: `Send at most ${fieldsMax} fields and list items.` });
  };
  const enter = () => {
    countValue();
    namesByLevel.push(new Set());
    if (namesByLevel.length > depthMax) throw new Problem('body_too_deep');
  };
  const leave = () => void namesByLevel.pop();
  visit(
    text,
    {
      onObjectBegin: enter,
      onObjectEnd: leave,
      onArrayBegin: enter,
      onArrayEnd: leave,
      onLiteralValue: countValue,
      onObjectProperty: (name, _offset, _length, line, character, pathOf) => {
        const names = namesByLevel.at(-1);
        if (names?.has(name)) {
          const path = [...pathOf(), name].map((part) => String(part).slice(0, nameLengthMax)).join('.');
          throw new InvalidJson(
            'duplicate_field',
            { line: line + 1, column: character + 1 },
            'The field appears twice.',
            { fix: 'Send each field once.', errors: { [path]: ['appears twice'] } },
          );
        }
        names?.add(name);
      },
      onError: (code, _offset, _length, line, character) => {
        const position = { line: line + 1, column: character + 1 };
        throw new InvalidJson('malformed_json', position, `${messageOf(code)}.`, {
          fix: 'Send one JSON object in UTF-8.',
        });
      },
    },
    { disallowComments: true },
  );
  try {
    return JSON.parse(text) as unknown;
  } catch {
    // Both parsers should accept the same texts. If only `JSON.parse` rejects a text, this is still an error of the caller.
    throw new Problem('malformed_json');
  }
}

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

/** JSON with sorted fields: equal values give equal texts. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) => {
    if (typeof part !== 'object' || part === null || Array.isArray(part)) return part;
    return Object.fromEntries(Object.entries(part).toSorted(([left], [right]) => (left < right ? -1 : 1)));
  });
}

/** A digest that is equal for equal values, whatever the order of their fields. */
export const digestOf = (value: unknown): string => createHash('sha256').update(canonicalJson(value)).digest('hex');
