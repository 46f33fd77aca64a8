import { h } from '../../pages/browser/elements.mjs';
import { request } from '../../pages/browser/request.mjs';
import { signIn } from '../../pages/browser/sign-in.mjs';

const isOpen = document.body.dataset.open !== undefined;

/** Comes to an access: given by the local stack, where the page is open; by signing in everywhere else. */
export async function enter(why) {
  if (!isOpen || why === 'rejected') return signIn(why);
  const { status, answer } = await request('/flows/session');
  if (status !== 200) return signIn(why);
  document.getElementById('who').replaceChildren(h('p', {}, 'Local stack: open on this machine'));
  return { token: answer.token, name: 'the local stack' };
}
