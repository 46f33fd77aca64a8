import { createStore } from './store';

/** Who is signed in. */
export interface Access {
  token: string;
  /** The name of the client, for the bar. */
  name: string;
  /** Set if nobody had to sign in. The bar then shows this text, without the name and the button to sign out. */
  note?: string;
}

/** Why the user must sign in again. `expired`: the API accepted the token earlier. `rejected`: the API has never accepted the token. */
export type SignInReason = 'expired' | 'rejected';

/**
 * Gets a token. `reason`: why the API rejected the earlier token. Undefined if there was no earlier token, or if the user wants to sign in
 * with another client.
 */
export type AccessSource = (reason: SignInReason | undefined) => Promise<Access>;

/** A sign-in form that is open, in place of the view. */
export interface Gate {
  /** Why the user must sign in again. Undefined for the first sign-in, or if the user wants to sign in with another client. */
  reason: SignInReason | undefined;
  /** Closes the form, and uses this access for the page. */
  finish: (access: Access) => void;
}

/** The sign-in form that is open. Undefined if no form is open. */
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

/** How this page gets an access: with the sign-in form, or with the function that `setAccessSource` has set. */
let getAccess = signIn;
/** The sign-in that has not ended yet. All requests wait for this one sign-in. */
let pendingAccess: Promise<Access> | undefined;
/** The reason that the next sign-in shows. */
let nextReason: SignInReason | undefined;
/** The tokens that the API has accepted at least once. */
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

/** Signs out. The reload of the page forgets the token, the images and the content of all fields. */
export function signOut(): void {
  history.replaceState(null, '', location.pathname);
  location.reload();
}
