import type { Request } from 'express';
import { Problem } from '../http/problem';
import type { Parameter } from '../http/route';
import type { ExpectedNewest } from './store/flow-store';

/** An ETag with a digest: SHA-256 in hexadecimal, in double quotes. */
const digestTag = /^"([0-9a-f]{64})"$/;

/** The conditional headers of PUT /v1/flows/{name}. */
export const expectedNewestParameters: readonly Parameter[] = [
  {
    name: 'If-Match',
    in: 'header',
    description:
      'The `digest` of the newest version that you have read, in double quotes. If the newest version now has another digest, nothing is saved',
    schema: { type: 'string', pattern: digestTag.source },
  },
  {
    name: 'If-None-Match',
    in: 'header',
    description: 'Send `*`. If the flow already has a version, nothing is saved',
    schema: { const: '*' },
  },
];

/** Reads from the conditional headers what the newest version must be. Undefined without these headers. Throws validation_failed. */
export function readExpectedNewest(request: Pick<Request, 'get'>): ExpectedNewest | undefined {
  const [match, noneMatch] = [request.get('if-match'), request.get('if-none-match')];
  if (match !== undefined && noneMatch !== undefined)
    throw new Problem('validation_failed', { errors: { 'If-Match': ['must not be combined with If-None-Match'] } });
  if (noneMatch !== undefined && noneMatch !== '*')
    throw new Problem('validation_failed', { errors: { 'If-None-Match': ['must be *'] } });
  if (noneMatch !== undefined) return 'none';
  if (match === undefined) return undefined;
  const [, digest] = digestTag.exec(match) ?? [];
  if (digest === undefined)
    throw new Problem('validation_failed', {
      errors: { 'If-Match': ['must be the digest of a version in double quotes'] },
    });
  return { digest };
}
