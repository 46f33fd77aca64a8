/** A message template, as in the Content API of Twilio. */
export interface ContentTemplate {
  sid: string;
  friendlyName: string | null;
  language: string;
  variables: Record<string, string>;
  types: {
    'twilio/text'?: { body: string } | undefined;
    'twilio/quick-reply'?: { body: string; actions: { title: string; id: string }[] } | undefined;
  };
  createdAt: string;
}
