import type { Request } from 'express';

/** Reads the value of a cookie. Undefined if the request has no such cookie, or if its value does not match the pattern. */
export function readCookie(request: Request, cookieName: string, pattern: RegExp): string | undefined {
  return (request.get('cookie') ?? '')
    .split(';')
    .map((cookie) => cookie.trim().split('='))
    .find(([name, value = '']) => name === cookieName && pattern.test(value))?.[1];
}
