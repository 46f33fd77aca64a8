import { request } from './request.mjs';
import { signIn } from './sign-in.mjs';

/** The API said no: `status` and the problem's `code`, `title`, `detail`, `errors` and `traceId`. */
export class ApiError extends Error {
  constructor(status, { code = '', title = '', detail = '', errors = {}, traceId = '' }) {
    super(`answered ${status} ${code}`);
    Object.assign(this, { status, code, title, detail, errors, traceId });
  }
}

/** Lives here alone: whoever opens the page anew, or reads what the browser stores, finds no token. */
let access;
let entering;
let why;
let enter = signIn;

/** Has the page come to its access by another way than signing in; `way` is called and answers as signIn does. */
export function enterBy(way) {
  enter = way;
}

async function accessOf() {
  while (!access) {
    entering ??= enter(why);
    try {
      access = await entering;
    } finally {
      entering = undefined;
    }
  }
  return access;
}

/** Name of who is signed in. */
export const signedIn = () => access?.name ?? '';

/** Forgets who is signed in; the next request asks for it. */
export function forgetAccess() {
  access = undefined;
  why = undefined;
}

/**
 * Asks the API and resolves to its answer; throws Refused, or Unreachable. When the access is over, who looks signs
 * in first. What was read is then read again, but nothing is done in the name of whoever signs in: a POST is refused
 * with the code `signed_out`, to be pressed again.
 */
export async function callApi(path, init = {}) {
  for (;;) {
    const used = await accessOf();
    const headers = { ...init.headers, Authorization: `Bearer ${used.token}` };
    const { status, answer } = await request(path, { ...init, headers });
    if (status === 401) {
      if (access === used) {
        access = undefined;
        why = used.accepted ? 'expired' : 'rejected';
      }
      await accessOf();
      if (init.method === 'POST') throw new ApiError(status, { ...answer, code: 'signed_out' });
    } else {
      used.accepted = true;
      if (status >= 400) throw new ApiError(status, answer);
      return answer;
    }
  }
}
