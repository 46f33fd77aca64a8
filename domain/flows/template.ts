import type { Channel, MessageText } from '../confirmation-settings';
import type { Language } from '../language';
import type { NamedReply } from './definition';

/** What a person reads when a step asks them: reviewed text, which flows name. Placeholders as in messages of confirmations. */
export interface Template {
  /** Unique, kebab-case. */
  name: string;
  /** Where it may be used. A text of e-mail has subjects, which the others do not show. */
  channels: readonly Channel[];
  ask: 'token' | 'reply';
  message: Record<Language, MessageText>;
  /** Questions only. */
  options?: readonly NamedReply[];
}

export type Templates = ReadonlyMap<string, Template>;
