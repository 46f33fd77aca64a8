import type { CallAction } from '../inbox-api';
import type { Channel, Message } from '../message';

/** All texts of the inbox in one language. The English texts in en.ts show what each field is for. */
export interface Texts {
  title: string;
  connection: { connecting: string; live: string; lost: string };
  list: {
    label: string;
    conversations: string;
    search: string;
    searchHint: string;
    empty: string;
    nothingFound: string;
    you: string;
    unread: (count: number) => string;
  };
  deleteAll: { open: string; title: string; text: string; confirm: string; cancel: string };
  channels: Record<Channel, string>;
  /** The notice about a new message, if its conversation is not open. */
  arrived: (channel: string, address: string) => string;
  thread: {
    label: (channel: string, address: string) => string;
    conversation: string;
    messages: string;
    back: string;
    markRead: string;
    apps: string;
    today: string;
    isNew: string;
    from: (address: string) => string;
    quickReplies: string;
    reply: string;
    send: string;
  };
  status: Partial<Record<Message['status'], string>>;
  /** What a person can do with a call, and what is said about it. */
  call: Record<CallAction, string> & {
    from: (address: string) => string;
    actions: string;
    byMachine: string;
    answersAtOnce: string;
  };
  mail: {
    label: (subject: string) => string;
    noSubject: string;
    showAs: string;
    plainText: string;
  };
  copy: {
    code: (code: string) => string;
    command: (title: string) => string;
    codeCopied: (code: string) => string;
    commandCopied: string;
    failed: (text: string) => string;
  };
  welcome: { title: string; text: string; steps: { token: string; transaction: string; code: string } };
  choose: { title: string; text: string };
}
