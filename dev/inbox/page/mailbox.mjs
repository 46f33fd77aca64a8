/** The page loads at most this many messages. */
const messagesShownMax = 2_000;

const messages = new Map();
const listeners = new Set();
let isScheduled = false;

/** Calls the listener after changes, at most once per animation frame. */
export const onChange = (listener) => listeners.add(listener);

export function scheduleUpdate() {
  if (isScheduled) return;
  isScheduled = true;
  // Hidden pages get no frames, but their title must show the number of unread messages.
  if (document.hidden) setTimeout(notifyListeners, 100);
  else requestAnimationFrame(notifyListeners);
}

function notifyListeners() {
  isScheduled = false;
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
export const readApiUrl = async () => (await call('GET', 'application')).url;

/** Keeps the page in sync with the inbox. Reads all messages again after each reconnection. */
export function connect({ onState, onArrival }) {
  const events = new EventSource('/api/events');
  // Messages that arrive while the list is loading are newer than the list.
  let arrivedDuringLoad = new Map();
  const storeMessage = (event) => {
    const message = JSON.parse(event.data);
    messages.set(message.id, message);
    arrivedDuringLoad.set(message.id, message);
    scheduleUpdate();
    return message;
  };
  const loadMessages = async () => {
    const newMessages = new Map();
    arrivedDuringLoad = newMessages;
    const list = await call('GET', `messages?direction=all&limit=${messagesShownMax}`);
    // Another load has started.
    if (arrivedDuringLoad !== newMessages) return;
    messages.clear();
    for (const message of [...list.toReversed(), ...newMessages.values()]) messages.set(message.id, message);
    onState('live');
    scheduleUpdate();
  };
  const loadWithRetries = () =>
    void loadMessages().catch(() => {
      onState('lost');
      setTimeout(loadWithRetries, 1_000);
    });
  events.addEventListener('open', loadWithRetries);
  events.addEventListener('error', () => onState('lost'));
  events.addEventListener('changed', storeMessage);
  events.addEventListener('message', (event) => onArrival(storeMessage(event)));
  events.addEventListener('cleared', () => {
    messages.clear();
    loadWithRetries();
  });
}

export const personAddressOf = (message) =>
  (message.direction === 'outbound' ? message.to : message.from).toLowerCase();
export const isUnread = (message) => message.direction === 'outbound' && message.readAt === undefined;

/** All phones and mailboxes, the one with the newest message first. The messages of each are sorted, oldest first. */
export function listPeople() {
  const peopleByAddress = new Map();
  for (const message of messages.values()) {
    const address = personAddressOf(message);
    const person = peopleByAddress.get(address) ?? {
      address,
      kind: message.channel === 'email' ? 'mail' : 'phone',
      messages: [],
    };
    peopleByAddress.delete(address);
    person.messages.push(message);
    peopleByAddress.set(address, person);
  }
  return [...peopleByAddress.values()].toReversed().map((person) => ({
    ...person,
    newest: person.messages.at(-1),
    unread: person.messages.filter(isUnread).length,
  }));
}
