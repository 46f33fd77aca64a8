/** Conversations on the page are cut to what a person can scroll through. */
const messagesShownMax = 2_000;

const messages = new Map();
const listeners = new Set();
let scheduled = false;

/** Calls the listener after changes, once per frame however many there were. */
export const onChange = (listener) => listeners.add(listener);

export function changed() {
  if (scheduled) return;
  scheduled = true;
  // Hidden pages get no frames, and a title that counts unread messages matters most there.
  if (document.hidden) setTimeout(tell, 100);
  else requestAnimationFrame(tell);
}

function tell() {
  scheduled = false;
  for (const listener of listeners) listener();
}

async function call(method, path, body) {
  const json =
    body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  const response = await fetch(`/api/${path}`, { method, ...json });
  if (response.ok) return response.status === 204 ? undefined : response.json();
  const problem = await response.json().catch(() => ({}));
  throw new Error(problem.detail ?? `The inbox answered ${response.status}`);
}

export const reply = (id, answer) => call('POST', `messages/${id}/reply`, answer);
export const markRead = (id) => call('POST', `messages/${id}/read`);
export const clearAll = () => call('DELETE', 'messages');
export const applicationUrl = async () => (await call('GET', 'application')).url;

/** Keeps the page equal to the inbox. After every reconnection everything is read again, so nothing is missed. */
export function connect({ onState, onArrival }) {
  const events = new EventSource('/api/events');
  // What arrives while the list is on its way is newer than the list.
  let meanwhile = new Map();
  const keep = (event) => {
    const message = JSON.parse(event.data);
    messages.set(message.id, message);
    meanwhile.set(message.id, message);
    changed();
    return message;
  };
  const read = async () => {
    const arrived = new Map();
    meanwhile = arrived;
    const list = await call('GET', `messages?direction=all&limit=${messagesShownMax}`);
    if (meanwhile !== arrived) return;
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
  events.addEventListener('changed', keep);
  events.addEventListener('message', (event) => onArrival(keep(event)));
  events.addEventListener('cleared', () => {
    messages.clear();
    load();
  });
}

export const personOf = (message) => (message.direction === 'outbound' ? message.to : message.from).toLowerCase();
export const isUnread = (message) => message.direction === 'outbound' && message.readAt === undefined;

/** All phones and mailboxes with their messages (oldest first), the one with the newest message on top. */
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
