import { request } from './request.mjs';
import { signIn } from './sign-in.mjs';

/** A problem of the API. */
export class ApiError extends Error {
  constructor(status, { code = '', title = '', detail = '', errors = {}, traceId = '' }) {
    super(`the API returned ${status} ${code}`);
    Object.assign(this, { status, code, title, detail, errors, traceId });
  }
}

/** { token, name, accepted }. `name`: of the client. `accepted`: whether the API has accepted the token before. A reload forgets the token. */
let access;
let pendingSignIn;
let signInReason;
let getAccess = signIn;

/** Replaces signIn by a function that gets a token in another way. It has the same parameter and result. */
export function replaceSignIn(newSignIn) {
  getAccess = newSignIn;
}

async function requireAccess() {
  while (!access) {
    pendingSignIn ??= getAccess(signInReason);
    try {
      access = await pendingSignIn;
    } finally {
      pendingSignIn = undefined;
    }
  }
  return access;
}

/** Signs out; the next request asks to sign in. */
export function forgetAccess() {
  access = undefined;
  signInReason = undefined;
}

/**
 * Sends a request to the API and resolves to the response body. Throws ApiError and Unreachable. If the token has expired, the
 * user signs in first and a GET is sent again. A POST throws ApiError with the code `signed_out`: another user may have signed in.
 */
export async function callApi(path, init = {}) {
  for (;;) {
    const usedAccess = await requireAccess();
    const headers = { ...init.headers, Authorization: `Bearer ${usedAccess.token}` };
    const { status, answer } = await request(path, { ...init, headers });
    if (status === 401) {
      if (access === usedAccess) {
        access = undefined;
        signInReason = usedAccess.accepted ? 'expired' : 'rejected';
      }
      await requireAccess();
      if (init.method === 'POST') throw new ApiError(status, { ...answer, code: 'signed_out' });
    } else {
      usedAccess.accepted = true;
      if (status >= 400) throw new ApiError(status, answer);
      return answer;
    }
  }
}
