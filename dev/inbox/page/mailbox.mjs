/** The page loads at most this many messages. */
const messagesShownMax = 2_000;

const messages = new Map();
const listeners = new Set();
let scheduled = false;

/** Calls the listener after changes, at most once per frame. */
export const onChange = (listener) => listeners.add(listener);

export function changed() {
  if (scheduled) return;
  scheduled = true;
  // Hidden pages get no frames, but their title must show the number of unread messages.
  if (document.hidden) setTimeout(notifyListeners, 100);
  else requestAnimationFrame(notifyListeners);
}

function notifyListeners() {
  scheduled = false;
  for (const listener of listeners) listener();
}

async function call(method, path, body) {
  const json =
    body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  const response = await fetch(`/api/${path}`, { method, ...json });
  if (response.ok) return response.status === 204 ? undefined : response.json();
  const problem = await response.json().catch(() => ({}));
  throw new Error(problem.detail ?? `The inbox responded ${response.status}`);
}

export const reply = (id, answer) => call('POST', `messages/${id}/reply`, answer);
export const markRead = (id) => call('POST', `messages/${id}/read`);
export const clearAll = () => call('DELETE', 'messages');
export const applicationUrl = async () => (await call('GET', 'application')).url;

/** Keeps the page in sync with the inbox. Reads all messages again after each reconnection. */
export function connect({ onState, onArrival }) {
  const events = new EventSource('/api/events');
  // Messages that arrive while the list is loading are newer than the list.
  let arrivedDuringLoad = new Map();
  const store = (event) => {
    const message = JSON.parse(event.data);
    messages.set(message.id, message);
    arrivedDuringLoad.set(message.id, message);
    changed();
    return message;
  };
  const read = async () => {
    const arrived = new Map();
    arrivedDuringLoad = arrived;
    const list = await call('GET', `messages?direction=all&limit=${messagesShownMax}`);
    if (arrivedDuringLoad !== arrived) return;
    messages.clear();
    for (const message of [...list.toReversed(), ...arrived.values()]) messages.set(message.id, message);
    onState('live');
    changed();
  };
  const load = () =>
    void read().catch(() => {
      onState('lost');
      setTimeout(load, 1_000);
    });
  events.addEventListener('open', load);
  events.addEventListener('error', () => onState('lost'));
  events.addEventListener('changed', store);
  events.addEventListener('message', (event) => onArrival(store(event)));
  events.addEventListener('cleared', () => {
    messages.clear();
    load();
  });
}

export const personOf = (message) => (message.direction === 'outbound' ? message.to : message.from).toLowerCase();
export const isUnread = (message) => message.direction === 'outbound' && message.readAt === undefined;

/** All phones and mailboxes with their messages, oldest first. The one with the newest message is first. */
export function people() {
  const found = new Map();
  for (const message of messages.values()) {
    const address = personOf(message);
    const person = found.get(address) ?? {
      address,
      kind: message.channel === 'email' ? 'mail' : 'phone',
      messages: [],
    };
    found.delete(address);
    person.messages.push(message);
    found.set(address, person);
  }
  return [...found.values()].toReversed().map((person) => ({
    ...person,
    newest: person.messages.at(-1),
    unread: person.messages.filter(isUnread).length,
  }));
}
