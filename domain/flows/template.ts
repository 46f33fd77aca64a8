import type { Channel, MessageText } from '../confirmation-settings';
import type { Language } from '../language';
import type { NamedReply } from './definition';

/** A reviewed text of a code or question. Flows use it by its name. Placeholders: see `MessageText`. */
export interface Template {
  /** Unique among all templates, in kebab-case. */
  name: string;
  /** The channels that may use the template. Subjects are for e-mail only. */
  channels: readonly Channel[];
  ask: 'token' | 'reply';
  message: Record<Language, MessageText>;
  /** Questions only. */
  options?: readonly NamedReply[];
}

export type Templates = ReadonlyMap<string, Template>;
