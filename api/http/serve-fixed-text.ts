import { createHash } from 'node:crypto';
import type { Request, Response } from 'express';

/**
 * Caches may keep the text for 5 minutes. This time is short, because a new release may change the text. After this time, browsers ask with
 * If-None-Match and usually get 304.
 */
export const sharedCacheControl = 'public, max-age=300';

/** A handler that always sends the same text. */
export type FixedText = (request: Request, response: Response) => void;

/**
 * Creates a handler for a text that stays the same while the process runs. All responses share the bytes of the text, so slow connections
 * need no copy in memory. A client that already has the text gets 304, because of the strong ETag (RFC 9110, 13.1.2). `type`: a content
 * type, or a file extension such as `html`.
 */
export function serveFixedText(type: string, text: string): FixedText {
  const bytes = Buffer.from(text);
  const etag = `"${createHash('sha256').update(bytes).digest('base64url')}"`;
  return (_request, response) => {
    response.set({ 'Cache-Control': sharedCacheControl, ETag: etag }).type(type).send(bytes);
  };
}
