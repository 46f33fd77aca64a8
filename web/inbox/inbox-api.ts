import type { Message } from './message';

/** The page loads at most this many messages. */
const messagesShownMax = 2_000;

/** Calls the API of the inbox. Throws an error with a message that the page can show. */
async function call(method: string, path: string, body?: unknown): Promise<unknown> {
  const json =
    body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  const response = await fetch(`/api/${path}`, { method, ...json });
  if (response.ok) return response.status === 204 ? undefined : response.json();
  const problem = (await response.json().catch(() => ({}))) as { detail?: string };
  throw new Error(problem.detail ?? `The inbox responded ${response.status}`);
}

/** Replies to a message as the person: with a text, or with the number of a button. */
export const reply = (id: string, answer: { text: string } | { button: number }) =>
  call('POST', `messages/${id}/reply`, answer);

export type CallAction = 'answer' | 'decline' | 'ignore' | 'machine' | 'press' | 'hangUp';

/** Does what the person does with a call. */
export const actOnCall = (id: string, action: CallAction) => call('POST', `messages/${id}/call`, { action });

interface CallSettings {
  answersAtOnce: boolean;
}

/** Whether every call is answered by a person at once. */
export const readAnswersAtOnce = async () => ((await call('GET', 'calls')) as CallSettings).answersAtOnce;

export const setAnswersAtOnce = async (answersAtOnce: boolean) =>
  ((await call('PUT', 'calls', { answersAtOnce })) as CallSettings).answersAtOnce;

export const markRead = (id: string) => call('POST', `messages/${id}/read`);

export const deleteAll = () => call('DELETE', 'messages');

/** The newest messages of all people in both directions, newest first. */
export const readMessages = () => call('GET', `messages?direction=all&limit=${messagesShownMax}`) as Promise<Message[]>;

/** The address of the Countersign API, which sends its messages to this inbox. */
export const readApplicationUrl = async () => ((await call('GET', 'application')) as { url: string }).url;
