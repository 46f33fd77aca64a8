import type { Request } from 'express';

/** The value of a cookie that matches the pattern; undefined if the request has none. */
export function readCookie(request: Request, cookieName: string, pattern: RegExp): string | undefined {
  return (request.get('cookie') ?? '')
    .split(';')
    .map((cookie) => cookie.trim().split('='))
    .find(([name, value = '']) => name === cookieName && pattern.test(value))?.[1];
}
