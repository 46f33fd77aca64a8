import { createStore } from './store';

/** Who is signed in. */
export interface Access {
  token: string;
  /** The name of the client, for the bar. */
  name: string;
  /** If nobody had to sign in, the bar shows this text in place of the name and the button to sign out. */
  note?: string;
}

/** Why the user must sign in again. `expired`: the API accepted the token earlier. `rejected`: the API has never accepted the token. */
export type SignInReason = 'expired' | 'rejected';

/** Gets a token. `reason`: why the API rejected the earlier token. Undefined if there was none, or if the user chose another client. */
export type AccessSource = (reason: SignInReason | undefined) => Promise<Access>;

export interface Gate {
  reason: SignInReason | undefined;
  finish: (access: Access) => void;
}

/** The sign-in form that is open in place of the view. */
export const openGate = createStore<Gate | undefined>(undefined);

/** The access of this page. It is never stored: a reload of the page forgets it. */
export const currentAccess = createStore<Access | undefined>(undefined);

/** Shows the sign-in form until the user has signed in. */
export const signIn: AccessSource = (reason) =>
  new Promise((resolve) => {
    openGate.set({
      reason,
      finish: (access) => {
        openGate.set(undefined);
        resolve(access);
      },
    });
  });

let getAccess = signIn;
let pendingAccess: Promise<Access> | undefined;
let nextReason: SignInReason | undefined;
const acceptedTokens = new Set<string>();

/** Replaces the sign-in form by a function that gets a token in another way. */
export function setAccessSource(source: AccessSource): void {
  getAccess = source;
}

/** The access of this page. Asks the user to sign in if there is none. */
export async function requireAccess(): Promise<Access> {
  for (;;) {
    const access = currentAccess.get();
    if (access) return access;
    pendingAccess ??= getAccess(nextReason);
    try {
      currentAccess.set(await pendingAccess);
    } finally {
      pendingAccess = undefined;
    }
  }
}

/** Records that the API has accepted this token. A later rejection then means that the token has expired. */
export const acceptAccess = ({ token }: Access): unknown => acceptedTokens.add(token);

/** Forgets an access that the API has rejected. The next request asks the user to sign in. */
export function rejectAccess(access: Access): void {
  if (currentAccess.get() !== access) return;
  currentAccess.set(undefined);
  nextReason = acceptedTokens.has(access.token) ? 'expired' : 'rejected';
}

/** Forgets the access, so that the user can sign in with another client at the next request. */
export function forgetAccess(): void {
  currentAccess.set(undefined);
  nextReason = undefined;
}

/** Reloading the page forgets the token, images and all fields. */
export function signOut(): void {
  history.replaceState(null, '', location.pathname);
  location.reload();
}
